import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { rowsOfTable } from "../../../src/dashboard/imports/rows.ts";
import { jsonLength, worked, yielding } from "../../../src/domain/yielding.ts";
import { Agent } from "../../support/agents.ts";
import { BulkHarness, insertCodes, item } from "../../support/bulk.ts";
import type { Client } from "../../support/service.ts";

/** Rows for two turns of each loop over them, whose JSON is read in two parts. */
const rows = 2 * worked.rows;

let turns = 0;
const harness = new BulkHarness();
const pause = async () => {
  turns += 1;
};
const service = harness.isolate({ pause });
let client: Client;
let agent: Agent;
let ids: readonly string[];

beforeAll(async () => {
  client = await service.workspace();
  agent = await Agent.connect(client);
  ids = await insertCodes(client, rows);
});

const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
  turns = 0;
  await work();
  return turns;
};
const post = async (path: string, body: object) => {
  const { status } = await client.send("POST", path, body);
  expect([path, [200, 202].includes(status)]).toEqual([path, true]);
};
const upserted = (name: string) => ({
  items: Array.from({ length: rows }, (_, i) => ({ ...item(i), externalId: `own ${i}`, name })),
});
const changes = () => ids.map((id) => ({ id, name: "Same", tags: ["a tag that makes the row longer"] }));

it.each([
  ["five hundred rows", Array.from({ length: rows + 1 }, (_, i) => i), 2],
  ["64 KB", Array.from({ length: 9 }, () => "x".repeat(worked.bytes / 4)), 2],
])("other requests have their turn after %s", async (_, all, count) => {
  const seen: unknown[] = [];
  const work = async () => {
    for await (const row of yielding<unknown>(service.deps, all, jsonLength)) seen.push(row);
  };
  expect([await turnsOf(work), seen]).toEqual([count, all]);
});

// One for each part of the body, page of lookups and five hundred rows of each loop: one fewer is a loop without turns.
it.each([
  ["an upsert that creates", 13, () => post("/qr/bulk?upsert=externalId", upserted("a"))],
  ["the job", 12, () => harness.drain(service)],
  ["an upsert that changes", 11, () => post("/qr/bulk?upsert=externalId", upserted("b"))],
  ["its job", 16, () => harness.drain(service)],
  ["its dry run", 17, () => post("/qr/bulk?upsert=externalId&dryRun=true", upserted("c"))],
  ["rows that change codes", 11, () => post("/qr/bulk-update", { items: changes() })],
  ["their dry run", 17, () => post("/qr/bulk-update", { items: changes(), dryRun: true })],
  ["an agent's dry run", 9, () => agent.ask(z.any(), "change_codes", { ids, change: { status: "paused" } })],
  ["an agent's dry run of rows", 12, () => agent.ask(z.any(), "change_codes", { items: changes() })],
  [
    "an import",
    2,
    () => {
      const records = ids.map((id) => [`https://example.com/${id}`]);
      const table = { records, hasHeader: false, columns: ["url"] } as const;
      return rowsOfTable(service.deps, table, { folderId: "", templateId: "", tags: [] }, () => undefined);
    },
  ],
] as const)("beside %s, other requests have their turn", async (_, least, work) => {
  expect(await turnsOf(work)).toBeGreaterThanOrEqual(least);
});
