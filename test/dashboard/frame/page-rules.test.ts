import { beforeAll, expect, it } from "vitest";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { SavedList } from "../../../src/contract/resources/codes/saved-lists.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { BrandLogo } from "../../../src/contract/resources/images/brand.ts";
import { PrintJob } from "../../../src/contract/resources/images/prints.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { CreatedWebhook, Delivery } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { allows, type Permission, type Role } from "../../../src/contract/roles.ts";
import { routes } from "../../../src/dashboard/routes.ts";
import { Browser } from "../../support/browser.ts";
import { validBody } from "../../support/endpoints.ts";
import { makePage, pageMaker, wholePage } from "../../support/hosted-pages.ts";
import { pageAddress } from "../../support/page-addresses.ts";
import { brokenRules } from "../../support/page-rules.ts";
import { oneOfEach } from "../../support/runner/runs.ts";
import { Service } from "../../support/service.ts";

/**
 * Every page of a workspace with one of everything keeps the rules that its HTML alone shows, and offers no link and no
 * form that the role of its reader doesn't allow.
 */

const service = new Service();
let browser: Browser;
let workspaceId: string;
/** Values of the parameters in paths, by the segment before them, such as `codes` of `/codes/:id`. */
let values: Readonly<Record<string, string>>;

/** The answer of a path to an owner: a page, or a part of one. */
interface Shown {
  readonly path: string;
  readonly permission: Permission;
  readonly status: number;
  readonly html: string;
}
const shown: Shown[] = [];
/** The paths that answer a file. */
const filePaths: RegExp[] = [];
/** The paths whose HTML scripts don't put into a page: it is somebody's own, in a frame. */
const unmarked: string[] = [];

/**
 * A text from right to left that would make a request in the name of whoever looks at it, if a page had it as HTML.
 */
const hostileName = `قائمة <b hx-post="/x" hx-trigger="load">"bold"</b>`;

beforeAll(async () => {
  const maker = await pageMaker(service);
  const { client, session } = maker;
  ({ workspaceId } = client);
  browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const [qr] = [
    await client.createQr({ name: hostileName, tags: ["summer", "صيف"] }),
    await client.createQr(),
  ];
  const page = await makePage(maker, wholePage);
  const { createBulk, createFolder, createTemplate, createBrandLogo, createWebhook, createKey } = validBody;
  const webhook = await session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", createWebhook);
  const test = `/developer/webhooks/${webhook.id}/test`;
  const named = (body: object = {}) => ({ ...body, name: hostileName });
  await session.send("PATCH", "/developer/workspace", { name: hostileName });
  values = {
    codes: qr.id,
    pages: page.id,
    tags: "summer",
    choices: "tags",
    workspaces: client.workspaceId,
    members: session.userId,
    webhooks: webhook.id,
    deliveries: (await session.expect(202, Delivery, "POST", test)).id,
    folders: (await client.expect(201, Folder, "POST", "/folders", named(createFolder))).id,
    templates: (await session.expect(201, Template, "POST", "/developer/templates", named(createTemplate)))
      .id,
    lists: (await client.expect(201, SavedList, "POST", "/developer/lists", { name: hostileName })).id,
    logos: (await session.expect(201, BrandLogo, "POST", "/developer/brand/logos", named(createBrandLogo)))
      .id,
    keys: (await session.expect(201, NewApiKey, "POST", "/developer/keys", named(createKey))).id,
    jobs: (await client.expect(202, BulkJob, "POST", "/qr/bulk", createBulk)).jobId,
    prints: (await client.expect(202, PrintJob, "POST", "/qr/images/jobs", { filter: {} })).jobId,
  };
  for (const [method, path, permission] of routes) {
    if (method !== "GET") continue;
    const answer = await browser.open(addressOf(path));
    const html = await answer.text();
    const isHtml = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
    if (isHtml) shown.push({ path, permission, status: answer.status, html });
    const isMarked = answer.headers.has("x-swappable");
    if (isMarked !== isHtml) unmarked.push(path);
    if (answer.status === 200 && !isHtml) filePaths.push(patternOf(path));
  }
});

const addressOf = (route: string) => pageAddress(route, (segment) => values[segment] ?? "none");

const patternOf = (path: string) =>
  new RegExp(`^/dashboard${path.replace(/\/$/, "").replaceAll(/:\w+/g, "[^/]+")}$`);

const patterns = routes.map(([verb, path, permission]) => ({ verb, pattern: patternOf(path), permission }));

/** Returns what a page offers and a role lacks. */
function lackingIn(page: string, role: Role): string[] {
  const open = page.replace(/<dialog.*?<\/dialog>/gs, "");
  const offered = [
    ...Array.from(open.matchAll(/<a [^>]*href="([^"]*)"/g), ([, to = ""]) => ["GET", to] as const),
    // The selection's form has buttons for what everyone may do, too.
    ...Array.from(
      open.matchAll(/<form (?![^>]*class="selection")[^>]*action="([^"]*)"/g),
      ([form, to = ""]) => {
        return [form.includes('method="post"') ? "POST" : "GET", to] as const;
      },
    ),
  ];
  return offered.flatMap(([verb, to]) => {
    const path = to.replace(/[?#].*/s, "");
    const route = patterns.find((known) => known.verb === verb && known.pattern.test(path));
    return route === undefined || allows(role, route.permission) ? [] : [`${verb} ${path}`];
  });
}

/** Returns the own content of a page, or the part of one as it is. */
const mainOf = (html: string): string => /<main.*<\/main>/s.exec(html)?.[0] ?? html;

it("every page keeps the rules", async () => {
  const faults: string[] = [];
  const pages = shown.filter(({ html }) => html.startsWith("<!doctype html>"));
  for (const { path, html } of pages) {
    faults.push(...(await brokenRules(html)).map((fault) => `${path}: ${fault}`));
  }
  expect(faults).toEqual([]);
  expect(pages.filter(({ status }) => status === 200).length).toBeGreaterThan(70);
});

it("scripts put only HTML of the dashboard into a page, and links to files are the browser's", () => {
  expect(unmarked).toEqual([]);
  expect(filePaths.length).toBeGreaterThan(8);
  const boosted = shown.flatMap(({ path, html }) =>
    Array.from(html.matchAll(/<a [^>]*href="([^"?#]*)[^>]*>/g), ([link, to = ""]) => ({ path, link, to })),
  );
  const faults = boosted.filter(
    ({ link, to }) => filePaths.some((file) => file.test(to)) && !/ (download|hx-boost="false")/.test(link),
  );
  expect(faults.map(({ path, link }) => `${path}: ${link}`)).toEqual([]);
});

it("a text that is HTML makes no request", () => {
  const showing = shown.filter(({ html }) => html.includes("/x&quot; hx-trigger"));
  expect(showing.length).toBeGreaterThan(5);
  expect(shown.filter(({ html }) => html.includes(`<b hx-post`)).map(({ path }) => path)).toEqual([]);
});

it.each([
  ["viewer", 20],
  ["editor", 10],
  ["admin", 1],
] as const)("no page offers a person who is %s what they can't do", async (role, least) => {
  const { cookie } = await service.sessionIn(workspaceId, role);
  const own = new Browser(service);
  own.cookies.set("session", cookie.replace("session=", ""));
  const allowed = shown.filter(({ permission }) => allows(role, permission));
  // A page offers everybody else less than its owner. So only those that offer an owner what the role lacks can do so to
  // the role, too; one of the others shows the frame of all.
  const opened = oneOfEach(allowed, ({ path, html }) =>
    lackingIn(mainOf(html), role).length > 0 ? path : "",
  );
  const lacking: Record<string, string[]> = {};
  for (const { path } of opened) {
    const found = lackingIn(await (await own.open(addressOf(path))).text(), role);
    if (found.length > 0) lacking[path] = [...new Set(found)];
  }
  expect(lacking).toEqual({});
  expect(opened.length).toBeGreaterThan(least);
});
