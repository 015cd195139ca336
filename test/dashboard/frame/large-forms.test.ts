import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import type { Folder } from "../../../src/contract/resources/codes/folders.ts";
import type { Template } from "../../../src/contract/resources/images/templates.ts";
import type { CreatedWebhook } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { routes } from "../../../src/dashboard/routes.ts";
import type { Browser } from "../../support/browser.ts";
import { fieldsOf, signedIn } from "../../support/dashboard.ts";
import { makePage, wholePage } from "../../support/hosted-pages.ts";
import { svg } from "../../support/images/logos.ts";
import { oneOfEach, sample } from "../../support/runner/runs.ts";
import { Service, type SessionClient } from "../../support/service.ts";
import { wrapDatabase } from "../../support/world/wrapped-database.ts";

/** Forms as large and as repetitive as they may be are answered, by work in proportion to their size. */

const unlimited = { limit: async () => ({ success: true }) };
/** Statements and batches of the catalogue so far. */
let statements = 0;
const service = new Service({
  submissionLimit: unlimited,
  abuseReportLimit: unlimited,
  db: wrapDatabase(env.DB, (work) => {
    statements += 1;
    return work();
  }),
});
let browser: Browser;
/** Ids of the workspace, by the segment of a path before them. */
let ids: Record<string, string>;
let pageId: string;

beforeAll(async () => {
  const me = await signedIn(service);
  ({ browser } = me);
  const session: SessionClient = await service.sessionIn(me.client.workspaceId);
  const create = async <T>(path: string, body: object) =>
    (await (await session.send("POST", path, body)).json()) as T;
  const page = await makePage({ client: me.client, session }, wholePage);
  pageId = page.id;
  ids = {
    codes: (await me.client.createQr()).id,
    folders: (await create<Folder>("/folders", { name: "Menus" })).id,
    pages: page.id,
    templates: (await create<Template>("/developer/templates", { name: "Blue" })).id,
    webhooks: (
      await create<CreatedWebhook>("/developer/webhooks", {
        url: "https://example.com/hook",
        events: ["qr.created"],
      })
    ).id,
  };
});

/** A path of the route table with ids of the workspace, where it has some. */
const addressOf = (path: string): string =>
  `/dashboard${path.replace(/(\w+)\/:\w+/g, (_, before: string) => `${before}/${ids[before] ?? crypto.randomUUID()}`)}`;

/** A form, made twice as large by twice as many units. */
interface LargeForm {
  readonly name: string;
  readonly units: number;
  make(units: number): URLSearchParams | FormData;
}

/** As many bytes as a form may have, in these fields, each of a repeated text. */
const repeated = (names: readonly string[], text: string): LargeForm => ({
  name: `fields of ${JSON.stringify(text)}`,
  units: Math.floor((limits.form.bytes - 8192) / names.length / encodeURIComponent(text).length),
  make: (units) => new URLSearchParams(names.map((name) => [name, text.repeat(units)])),
});

/** Fields by their number: as many as a form may have, or far more. */
const numbered = (
  name: (i: number) => string,
  value: string,
  units: number = limits.form.fields,
): LargeForm => ({
  name: `${units} fields, ${name(0)}, ${name(1)}, …`,
  units,
  make: (count) => {
    const form = units > limits.form.fields ? new FormData() : new URLSearchParams();
    for (let i = 0; i < count; i += 1) form.append(name(i), value);
    return form;
  },
});

const file = (
  name: string,
  what: string,
  units: number,
  contents: (units: number) => string | Uint8Array<ArrayBuffer>,
): LargeForm => ({
  name: `${name}: ${what}`,
  units,
  make: (count) => {
    const form = new FormData();
    form.set(name, new File([contents(count)], name));
    return form;
  },
});

/** The entries that every form is fed with, besides its own fields. */
const manyFields: readonly LargeForm[] = [
  numbered(() => "id", "01900000-0000-7000-8000-000000000001"),
  numbered((i) => `blocks.${i}.type`, "link"),
  numbered((i) => `form.fields.${i}.type`, "text"),
  numbered((i) => `cell.${i}.0`, "x"),
  numbered((i) => `form.fields.${i}.type`, "text", 9000),
];

const repeat = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => text(i)).join("");

const files: readonly LargeForm[] = [
  file("logo", "equal ids", 9600, (n) => svg(repeat(n, () => '<g id="a"/><use href="#a"/>'))),
  file("logo", "a chain", 6000, (n) => svg(repeat(n, (i) => `<use id="n${i}" href="#n${i + 1}"/>`))),
  file("logo", "references in one attribute", 9000, (n) =>
    svg(`<g style="${"fill:url(#a);".repeat(n)}"/>${'<g id="a"/>'.repeat(n)}`),
  ),
  file("logo", "entities", 17_000, (n) => svg(repeat(n, () => "<g a='&amp;'/>"))),
  file("logo", "attributes", 24_000, (n) => svg(`<g ${repeat(n, (i) => ` a${i}=''`)}/>`)),
  file("logo", "nesting", 60, (n) => svg(`${"<g>".repeat(n)}${"<g/>".repeat(n * 300)}${"</g>".repeat(n)}`)),
  file("file", "rows", 5000, (n) => `url,name\n${repeat(n, () => "https://example.com/,x\n")}`),
  file("file", "columns", 20_000, (n) => "a,".repeat(n)),
];

/** The work of the service for a form. */
interface Work {
  readonly statements: number;
  readonly answeredBytes: number;
}

async function send(path: string, body: URLSearchParams | FormData): Promise<Work> {
  const before = statements;
  const answer = await browser.send("POST", path, { origin: service.deps.settings.appOrigin }, body);
  const answeredBytes = (await answer.arrayBuffer()).byteLength;
  expect({ path, status: answer.status }).toEqual({ path, status: expect.toSatisfy((n: number) => n < 500) });
  return { statements: statements - before, answeredBytes };
}

/** As much as any page or change needs, whatever its form. */
const usual: Work = { statements: 25, answeredBytes: 60_000 };

/** The forms that need more than three times the work when they are twice as large: in quadratic growth, four times. */
async function disproportionate(path: string, forms: readonly LargeForm[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name, units, make } of forms) {
    const small = await send(path, make(Math.floor(units / 2)));
    const large = await send(path, make(units));
    for (const kind of ["statements", "answeredBytes"] as const) {
      if (large[kind] > 3 * small[kind] + usual[kind]) {
        found.push(`${name}: ${small[kind]} ${kind}, twice as large ${large[kind]}`);
      }
    }
  }
  return found;
}

/** The forms to feed an address with. @param shown the page with its form, if it has one */
function formsFor(shown: string | null): LargeForm[] {
  const own = shown === null ? [] : Object.keys(fieldsOf(shown));
  const texts = own.length === 0 ? [] : ["a, b\n", " ", "é"];
  const takesFiles = shown === null || shown.includes('enctype="multipart/form-data"');
  return [...texts.map((text) => repeated(own, text)), ...manyFields, ...(takesFiles ? files : [])];
}

/** Forms are read by handlers of their own, but for those that only confirm, and for buttons alone: one of each of these. */
const withPage = new Set<string>(routes.filter(([method]) => method === "GET").map(([, path]) => path));
const classOf = (path: string) => {
  if (path.endsWith("/delete")) return "confirms";
  return withPage.has(path) || /\/(preview|score)$/.test(path) ? path : "a button";
};
const posts = oneOfEach(
  routes.filter(([method]) => method === "POST").map(([, path]) => path),
  classOf,
).map((path, i) => ({ path, i }));

it.each(posts)("POST $path needs work in proportion to the size of its form", async ({ path, i }) => {
  const address = addressOf(path);
  const answer = await browser.open(address);
  const page = await answer.text();
  const forms = formsFor(answer.status === 200 ? page : null);
  expect(await disproportionate(address, sample(forms, 13, i))).toEqual([]);
});

it.each(["/report", "/pages/"])("so does POST %s, which anybody can submit", async (path) => {
  const address = path === "/pages/" ? `/pages/${pageId}` : path;
  const page = await (await service.fetch(address)).text();
  expect(await disproportionate(address, formsFor(page))).toEqual([]);
});
