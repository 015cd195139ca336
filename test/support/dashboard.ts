import type { Plan } from "../../src/contract/plans.ts";
import { type Qr, QrList } from "../../src/contract/resources/codes/qr.ts";
import { Browser } from "./browser.ts";
import type { Client, Service } from "./service.ts";

/** A signed-in browser without scripts, and a client of the same workspace's API. */
export interface SignedInBrowser {
  readonly browser: Browser;
  readonly client: Client;
}

/** Signs in a new member of a new workspace. */
export async function signedIn(service: Service, plan: Plan = "business"): Promise<SignedInBrowser> {
  const session = await service.session(plan);
  const browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  return { browser, client: await service.client(session.workspaceId) };
}

/** Returns the same signed-in browser, which another isolate of the service answers. */
export function answeredBy(service: Service, { cookies }: Browser): Browser {
  const browser = new Browser(service);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
}

/** Returns the code that a person's workspace got last. */
export async function newestCode({ client }: SignedInBrowser): Promise<Qr> {
  const [qr] = (await client.expect(200, QrList, "GET", "/qr")).items;
  if (qr === undefined) throw new Error("there is no code");
  return qr;
}

/** Returns the HTML of a page, which must have this status. */
export async function pageAt(browser: Browser, path: string, status = 200): Promise<string> {
  const answer = await browser.open(path);
  const page = await answer.text();
  if (answer.status !== status) throw new Error(`${path} answered ${answer.status}: ${page}`);
  return page;
}

/** Returns the fields of the page's main form as a browser would send them. */
export function fieldsOf(page: string): Record<string, string> {
  const main = /<main.*<\/main>/s.exec(page)?.[0] ?? "";
  const form = main
    .slice([...main.matchAll(/<form [^>]*method="post"/g)].at(-1)?.index)
    .replace(/<\/form>.*/s, "");
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const name = attribute(tag, "name");
    const isOff = /^(checkbox|radio)$/.test(attribute(tag, "type") ?? "") && !/ checked/.test(tag);
    if (name !== undefined && !isOff && attribute(tag, "type") !== "file")
      fields[name] = attribute(tag, "value") ?? "";
  }
  for (const [, tag = "", text = ""] of form.matchAll(/(<textarea [^>]*>)\n?([^<]*)<\/textarea>/g)) {
    fields[attribute(tag, "name") ?? ""] = unescaped(text);
  }
  for (const [, tag = "", options = ""] of form.matchAll(/(<select [^>]*>)(.*?)<\/select>/gs)) {
    const chosen =
      /<option[^>]* selected[^>]*>/.exec(options)?.[0] ?? /<option[^>]*>/.exec(options)?.[0] ?? "";
    fields[attribute(tag, "name") ?? ""] = attribute(chosen, "value") ?? "";
  }
  return fields;
}

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
};

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" };
const unescaped = (text: string): string =>
  text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => entities[name] ?? "");

/** Returns the addresses of the page's links with a class, such as `name`. */
export const linksOf = (page: string, className: string): string[] =>
  [...page.matchAll(/<a [^>]*>/g)].flatMap(([tag]) =>
    attribute(tag, "class")?.split(" ").includes(className) ? (attribute(tag, "href") ?? []) : [],
  );
