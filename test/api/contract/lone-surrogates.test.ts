import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ErrorBody } from "../../../src/contract/errors.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import type { Client, SessionClient } from "../../support/service.ts";

const harness = new BulkHarness();
let client: Client;
let session: SessionClient;
/** Paths of things to change, by the word in the cases below. */
let existing: Record<string, string>;

beforeAll(async () => {
  session = await harness.service.session();
  client = await harness.service.client(session.workspaceId);
  const create = async (by: Client | SessionClient, path: string, body: object) => {
    const { id } = await by.expect(201, z.looseObject({ id: z.uuid() }), "POST", path, body);
    return `${path}/${id}`;
  };
  const webhook = { url: "https://example.com/hook", events: ["qr.created"] };
  existing = {
    code: await create(client, "/qr", qr),
    folder: await create(client, "/folders", { name: "F" }),
    template: await create(session, "/developer/templates", { name: "T" }),
    page: await create(session, "/developer/pages", { title: "P" }),
    webhook: await create(session, "/developer/webhooks", webhook),
  };
});

const qr = { qrType: "url", data: { type: "url", url: "a.example" } };
const broken = "x\ud83cx";
const brokenUrl = `https://a.example/${broken}`;

/** Expects a refusal that names the field. The answer is not compared itself: a report can't hold a lone surrogate. */
async function expectNamed(response: Response, field: string) {
  const { data } = ErrorBody.safeParse(await response.json());
  expect([response.status, data?.error]).toEqual([400, `${field} must be valid Unicode.`]);
}

describe("a lone surrogate is refused, and the field is named", () => {
  it.each<[path: string, body: object, field: string]>([
    ["/qr", { ...qr, name: broken }, "name"],
    ["/qr", { ...qr, tags: ["a", broken] }, "tags.1"],
    ["/qr", { ...qr, advanced: { a: [{ b: broken }] } }, "advanced"],
    ["/qr", { ...qr, advanced: { [broken]: 1 } }, "advanced"],
    ["/qr", { ...qr, colorConfig: { frame: { label: "\udf55" } } }, "colorConfig"],
    ["/qr", { ...qr, data: { type: "url", url: brokenUrl } }, "data.url"],
    ["/qr", { qrType: "vcard", data: { type: "vcard", firstName: "A", urls: [brokenUrl] } }, "data.urls.0"],
    ["/qr", { qrType: "sms", data: { type: "sms", phone: "+4930901820", message: broken } }, "data.message"],
    ["/folders", { name: broken }, "name"],
    ["/developer/keys", { name: broken, type: "secret" }, "name"],
    ["/developer/templates", { name: broken }, "name"],
    ["/developer/templates", { name: "T", colorConfig: { [broken]: 1 } }, "colorConfig"],
    ["/developer/pages", { title: broken }, "title"],
    [
      "/developer/pages",
      { title: "P", blocks: [{ type: "link", label: "L", url: brokenUrl }] },
      "blocks.0.url",
    ],
    ["/developer/pages", { title: "P", blocks: [{ type: "image", url: brokenUrl }] }, "blocks.0.url"],
    ["/developer/webhooks", { url: brokenUrl, events: ["qr.created"] }, "url"],
  ])("POST %s %j", async (path, body, field) => {
    const by = path.startsWith("/developer") ? session : client;
    await expectNamed(await by.send("POST", path, body), field);
  });

  it.each<[kind: string, body: object, field: string]>([
    ["code", { name: broken }, "name"],
    ["code", { tags: [broken] }, "tags.0"],
    ["code", { colorConfig: { a: broken } }, "colorConfig"],
    ["code", { data: { type: "url", url: brokenUrl } }, "data.url"],
    ["folder", { name: broken }, "name"],
    ["template", { name: broken }, "name"],
    ["template", { colorConfig: { a: broken } }, "colorConfig"],
    ["page", { intro: broken }, "intro"],
    ["webhook", { url: brokenUrl }, "url"],
  ])("PATCH of a %s with %j", async (kind, body, field) => {
    const path = existing[kind] ?? "";
    const by = path.startsWith("/developer") ? session : client;
    await expectNamed(await by.send("PATCH", path, body), field);
  });

  it("in bulk for its own row only", async () => {
    const rows = [item(1), { ...item(2), name: broken }, { ...item(3), advanced: { [broken]: 1 } }];
    const job = await harness.run(client, await harness.json(client, rows));
    expect(job.items.map(({ error }) => error)).toEqual([
      null,
      "name must be valid Unicode.",
      "advanced must be valid Unicode.",
    ]);
  });

  it("but a whole pair is not", async () => {
    const body = { ...qr, name: "🍕", tags: ["🍕"], advanced: { "🍕": "🍕" }, colorConfig: { "🍕": "🍕" } };
    expect((await client.send("POST", "/qr", body)).status).toBe(201);
  });
});
