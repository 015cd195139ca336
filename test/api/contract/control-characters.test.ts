import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { BulkHarness, item } from "../../support/bulk.ts";
import { oneOfEach, sample } from "../../support/runner/runs.ts";
import type { Client, SessionClient } from "../../support/service.ts";

const harness = new BulkHarness();
let client: Client;
let session: SessionClient;

beforeAll(async () => {
  session = await harness.service.session();
  client = await harness.service.client(session.workspaceId);
});

const problem = "can't contain line breaks or control characters.";
const code = { qrType: "url", data: { type: "url", url: "a.example" } };
/** Fields that people see as a name, with a body that has only this one wrong. */
const fields: readonly [path: string, bodyWith: (text: string) => object, field: string][] = [
  ["/qr", (name) => ({ ...code, name }), "name"],
  ["/qr", (tag) => ({ ...code, tags: ["a", tag] }), "tags.1"],
  ["/qr", (campaign) => ({ ...code, utm: { campaign } }), "utm.campaign"],
  ["/folders", (name) => ({ name }), "name"],
  ["/developer/keys", (name) => ({ name, type: "secret" }), "name"],
  ["/developer/templates", (name) => ({ name }), "name"],
  ["/developer/pages", (title) => ({ title }), "title"],
];

const texts = ["a\nb", "a\0b", "a\r\nb", "a\u2028b", "a\u0085b", "a\u001bb"];
const all = texts.flatMap((text) =>
  fields.map(([path, bodyWith, field]) => ({ text, shown: JSON.stringify(text), path, bodyWith, field })),
);
/** Each text in one field, and one text in each, because all fields have the same rule. */
const tried = new Set([
  ...oneOfEach(all, ({ text }) => text),
  ...oneOfEach(all, ({ path, field }) => `${path} ${field}`),
]);

it.each([...tried])(
  "$shown is refused by POST $path, which names $field",
  async ({ text, path, bodyWith, field }) => {
    const by = path.startsWith("/developer") ? session : client;
    const refused = await by.send("POST", path, bodyWith(text));
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { code: "invalid_input", error: `${field} ${problem}` },
    ]);
  },
);

it.each(sample(texts, 6))("%j is refused in changes, one by one and in bulk", async (text) => {
  const { id } = await client.createQr();
  const template = { name: "House style" };
  const created = await session.expect(
    201,
    z.looseObject({ id: z.uuid() }),
    "POST",
    "/developer/templates",
    template,
  );
  const folder = await client.expect(201, z.looseObject({ id: z.uuid() }), "POST", "/folders", {
    name: "Menus",
  });
  for (const [by, method, path, body, field] of [
    [client, "PATCH", `/qr/${id}`, { name: text }, "name"],
    [client, "PATCH", `/qr/${id}`, { tags: [text] }, "tags.0"],
    [client, "PATCH", `/folders/${folder.id}`, { name: text }, "name"],
    [session, "PATCH", `/developer/templates/${created.id}`, { name: text }, "name"],
    [client, "POST", "/qr/bulk-update", { filter: {}, change: { addTags: [text] } }, "change.addTags.0"],
  ] as const) {
    const refused = await by.send(method, path, body);
    expect([path, refused.status, await refused.json()]).toEqual([
      path,
      400,
      { code: "invalid_input", error: `${field} ${problem}` },
    ]);
  }
  const job = await harness.run(client, await harness.json(client, [{ ...item(1), name: text }, item(2)]));
  expect(job.items.map(({ error }) => error)).toEqual([`name ${problem}`, null]);
});
