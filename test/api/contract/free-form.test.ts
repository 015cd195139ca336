import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Template } from "../../../src/contract/resources/images/templates.ts";
import { BulkHarness, item } from "../../support/bulk.ts";
import type { Client, SessionClient } from "../../support/service.ts";
import { expectRefused } from "../../support/types.ts";

const harness = new BulkHarness();
let session: SessionClient;
let client: Client;
const templates = "/developer/templates";

beforeAll(async () => {
  session = await harness.service.session();
  client = await harness.service.client(session.workspaceId);
});

/** An object of this many levels, as JSON: text, because JSON.stringify can't write the deepest. */
const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
const nestedLists = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;

const createCode = (field: string, value: string) =>
  client.send("POST", "/qr", `{"qrType":"url","data":{"type":"url","url":"a.example"},"${field}":${value}}`);
const createTemplate = (value: string) =>
  session.send("POST", templates, `{"name":"Deep","colorConfig":${value}}`);

describe("a free-form object", () => {
  it("has at most 32 levels, also in a template", async () => {
    for (const field of ["advanced", "colorConfig"]) {
      expect((await createCode(field, nested(32))).status).toBe(201);
      expect((await createCode(field, nestedLists(32))).status).toBe(201);
    }
    expect((await createTemplate(nested(32))).status).toBe(201);
  });

  it.each([33, 1000, 5000, 8000])("of %i levels is refused with its name", async (levels) => {
    const tooDeep = /^(advanced|colorConfig) can be at most 32 levels deep\.$/;
    const qr = await client.createQr();
    const { id } = await session.expect(201, Template, "POST", templates, { name: "Flat" });
    for (const value of [nested(levels), nestedLists(levels)]) {
      await expectRefused(await createCode("advanced", value), tooDeep);
      await expectRefused(await createCode("colorConfig", value), tooDeep);
      await expectRefused(await createTemplate(value), tooDeep);
      const change = `{"colorConfig":${value}}`;
      await expectRefused(await client.send("PATCH", `/qr/${qr.id}`, change), tooDeep);
      await expectRefused(await session.send("PATCH", `${templates}/${id}`, change), tooDeep);
    }
  });

  it("that is too deep fails only its own row of a bulk job", async () => {
    const [first, second] = [item(1), item(2)].map((each) => JSON.stringify(each).slice(0, -1));
    const rows = [
      `${first}}`,
      `${second},"advanced":${nested(1000)}}`,
      `${second},"colorConfig":${nested(8000)}}`,
    ];
    const response = await client.send("POST", "/qr/bulk", `{"items":[${rows.join(",")}]}`);
    const job = await harness.run(client, response);
    expect(job.items.map(({ error }) => error)).toEqual([
      null,
      "advanced can be at most 32 levels deep.",
      "colorConfig can be at most 32 levels deep.",
    ]);
  });

  it.each([
    ["a", 8184],
    ["ü", 4092],
    ["€", 2728],
    ["🍕", 2046],
  ])("is measured in bytes of UTF-8: %s", async (char, count) => {
    const json = (length: number) => JSON.stringify({ a: char.repeat(length) });
    expect(new TextEncoder().encode(json(count))).toHaveLength(8192);
    expect((await createCode("advanced", json(count))).status).toBe(201);
    for (const field of ["advanced", "colorConfig"]) {
      const problem = new RegExp(`^${field} can have at most 8192 bytes of JSON\\.$`);
      await expectRefused(await createCode(field, json(count + 1)), problem);
    }
    const stored = await env.DB.prepare(
      "SELECT max(length(CAST(advanced AS BLOB))) AS bytes FROM qr_codes WHERE workspace_id = ?",
    )
      .bind(client.workspaceId)
      .first("bytes");
    expect(stored).toBe(8192);
  });
});
