import { beforeAll, expect, it } from "vitest";
import { limits } from "../../../src/contract/limits.ts";
import { BulkJobList } from "../../../src/contract/resources/codes/bulk.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { workUnits } from "../../../src/contract/work-units.ts";
import { workspaceMeterName } from "../../../src/protocol/key-meter.ts";
import { BulkHarness, goodItems, insertCodes } from "../../support/bulk.ts";
import type { Client } from "../../support/service.ts";

const harness = new BulkHarness();
let client: Client;
let requests: readonly (readonly [units: number, path: string, body: object])[];

beforeAll(async () => {
  const { workspaceId } = await harness.service.workspace();
  client = await harness.service.client(workspaceId, ["qr:read", "qr:write", "history:read"]);
  const ids = await insertCodes(client, 100);
  const change = { status: "paused" };
  const items = goodItems(100).map((item, i) => ({ ...item, externalId: `own ${i}` }));
  const rows = { items: ids.map((id) => ({ id, name: "Same" })) };
  requests = [
    [1, "/qr/bulk?dryRun=true", { items }],
    [2, "/qr/bulk?upsert=externalId&dryRun=true", { items }],
    [2, "/qr/bulk-update", { ...rows, dryRun: true }],
    [5, "/qr/bulk?upsert=externalId", { items }],
    [5, "/qr/bulk-update", rows],
    [5, "/qr/bulk-update", { ids, change }],
    [5, "/qr/bulk-update", { filter: { q: "Item" }, change }],
  ];
});

const nextMinute = () => harness.clock.advance(60_000);
const spend = (units: number) =>
  harness.service.deps
    .meter(workspaceMeterName(client.workspaceId))
    .takeWork(harness.clock.now(), units, limits.heavyWork);
const jobs = async () => (await client.expect(200, BulkJobList, "GET", "/qr/bulk?limit=100")).items.length;

it("dry runs, and jobs that change codes, count by their rows, and are refused before they begin", async () => {
  for (const [units, path, body] of requests) {
    nextMinute();
    await spend(limits.heavyWork - units - 1);
    const { status } = await client.send("POST", path, body);
    expect([path, [200, 202].includes(status)]).toEqual([path, true]);
    expect([path, await spend(1), await spend(1)]).toEqual([path, 0, expect.any(Number)]);
    const before = await jobs();
    const refused = await client.send("POST", path, body);
    const seconds = Number(refused.headers.get("retry-after"));
    expect([path, refused.status, seconds > 0 && seconds <= 60]).toEqual([path, 429, true]);
    expect([path, await jobs()]).toEqual([path, before]);
  }
  // A plain creation adds codes, which the plan counts.
  expect((await harness.json(client, goodItems(100))).status).toBe(202);
});

it("the largest change can be undone at once, which is refused after further ones", async () => {
  const { codes, ids } = limits.bulkUpdate;
  expect(2 * workUnits.change(codes)).toBe(limits.heavyWork);
  expect(workUnits.dryRun(ids)).toBeLessThan(limits.heavyWork);
  nextMinute();
  const [, path, body] = requests.at(-1) ?? [0, "", {}];
  await harness.run(client, await client.send("POST", path, body));
  const { items } = await client.expect(200, HistoryList, "GET", "/developer/history?limit=1");
  const undo = () => client.send("POST", `/developer/history/${items[0]?.id}/revert?scope=job`);
  await spend(limits.heavyWork);
  expect((await undo()).status).toBe(429);
  nextMinute();
  await spend(limits.heavyWork - 1);
  expect((await undo()).status).toBe(200);
  expect(await spend(1)).toBeGreaterThan(0);
});
