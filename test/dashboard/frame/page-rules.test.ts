import { beforeAll, expect, it } from "vitest";
import { BrandLogo } from "../../../src/contract/resources/images/brand.ts";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { NewApiKey } from "../../../src/contract/resources/identity/keys.ts";
import { PrintJob } from "../../../src/contract/resources/images/prints.ts";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { CreatedWebhook, Delivery } from "../../../src/contract/resources/webhooks/webhooks.ts";
import { routes } from "../../../src/dashboard/routes.ts";
import { Browser } from "../../support/browser.ts";
import { validBody } from "../../support/endpoints.ts";
import { makePage, pageMaker, wholePage } from "../../support/hosted-pages.ts";
import { brokenRules } from "../../support/page-rules.ts";
import { Service } from "../../support/service.ts";

/** The rules of pages that their HTML alone shows, on every page of a workspace with one of everything. */

const service = new Service();
let browser: Browser;
/** Values of the parameters in paths, by the segment before them, such as `codes` of `/codes/:id`. */
let values: Readonly<Record<string, string>>;

/** The queries of pages that need one. */
const queries: Readonly<Record<string, string>> = {
  "/share": "?tag=summer",
  "/tags/rename": "?tag=summer",
  "/tags/delete": "?tag=summer",
  "/go": "?q=summer",
  "/codes/bulk": "?q=",
  "/print": "?q=&all=on",
  "/print/images": "?q=&all=on",
};

beforeAll(async () => {
  const maker = await pageMaker(service);
  const { client, session } = maker;
  browser = new Browser(service);
  browser.cookies.set("session", session.cookie.replace("session=", ""));
  const [qr] = [await client.createQr({ name: `<b>"bold"</b>`, tags: ["summer"] }), await client.createQr()];
  const page = await makePage(maker, wholePage);
  const { createBulk, createFolder, createTemplate, createBrandLogo, createWebhook, createKey } = validBody;
  const webhook = await session.expect(201, CreatedWebhook, "POST", "/developer/webhooks", createWebhook);
  const test = `/developer/webhooks/${webhook.id}/test`;
  values = {
    codes: qr.id,
    pages: page.id,
    tags: "summer",
    choices: "tags",
    workspaces: client.workspaceId,
    members: session.userId,
    webhooks: webhook.id,
    deliveries: (await session.expect(202, Delivery, "POST", test)).id,
    folders: (await client.expect(201, Folder, "POST", "/folders", createFolder)).id,
    templates: (await session.expect(201, Template, "POST", "/developer/templates", createTemplate)).id,
    logos: (await session.expect(201, BrandLogo, "POST", "/developer/brand/logos", createBrandLogo)).id,
    keys: (await session.expect(201, NewApiKey, "POST", "/developer/keys", createKey)).id,
    jobs: (await client.expect(202, BulkJob, "POST", "/qr/bulk", createBulk)).jobId,
    prints: (await client.expect(202, PrintJob, "POST", "/qr/images/jobs", { filter: {} })).jobId,
  };
});

const addressOf = (path: string) =>
  path.replace(/([^/]+)\/:\w+/g, (_, segment: string) => `${segment}/${values[segment] ?? "none"}`) +
  (queries[path] ?? "");

it("every page keeps them", async () => {
  const faults: string[] = [];
  const shown: string[] = [];
  for (const path of routes.filter(([method]) => method === "GET").map(([, path]) => path)) {
    const answer = await browser.open(`/dashboard${addressOf(path).replace(/^\/$/, "")}`);
    const html = await answer.text();
    if (!html.startsWith("<!doctype html>")) continue;
    if (answer.status === 200) shown.push(path);
    faults.push(...(await brokenRules(html)).map((fault) => `${path}: ${fault}`));
  }
  expect(faults).toEqual([]);
  expect(shown.length).toBeGreaterThan(70);
});
