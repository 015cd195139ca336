import { afterAll, beforeAll, expect, it } from "vitest";
import { memberCookie, origin } from "../../../scripts/lib/seed.ts";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { HistoryList } from "../../../src/contract/resources/history/history.ts";
import { Reverted } from "../../../src/contract/resources/history/revert.ts";
import { csvRow, readTable, undefused } from "../../../src/lib/text/csv.ts";
import { waitTimeout } from "../../e2e/support/load.ts";
import { LoadFixture, type LoadServer } from "../../e2e/support/load-server.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { runs } from "../../support/runner/runs.ts";
import { call, completed } from "../support/load-jobs.ts";

/** Codes whose destinations are edited in the file: more than may be changed and not yet settled. */
const codeCount = runs(1200, 10_000);
/** How many scans must follow a change: those that begin when the guarantee's time is over. */
const scanCount = runs(200, 1000);
/** The bound of docs/guarantee.md, milliseconds. Not imported, so that a changed constant can't loosen the test. */
const guaranteedDelay = 1000;
const patience = 20 * waitTimeout;

let fixture: LoadFixture;
beforeAll(async () => {
  fixture = await LoadFixture.create(0);
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

const completedJob = (server: LoadServer, jobId: string) =>
  completed(server, `/qr/bulk/${jobId}?items=none`, { timeout: patience, interval: 200 });

type Row = Record<string, string>;

/** The workspace's export, each row by the names of its columns. */
async function exported(server: LoadServer): Promise<Row[]> {
  const bytes = new Uint8Array(await (await call(server, "/qr/export?tag=trip")).arrayBuffer());
  const [header = [], ...rows] = readTable(bytes, { maxColumns: 50, maxRecords: codeCount + 1 });
  return rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, undefused(cells[i] ?? "")])));
}

const withoutTimes = (rows: readonly Row[]): string =>
  rows.map(({ updatedAt: _, ...row }) => JSON.stringify(row)).join("\n");

/** Scans codes at random. @returns those whose scan began later than the guarantee allows and led elsewhere */
async function wrongScans(server: LoadServer, rows: readonly Row[], since: number): Promise<string[]> {
  const wrong: string[] = [];
  let promised = 0;
  while (promised < scanCount) {
    const row = rows[Math.floor(Math.random() * rows.length)];
    const began = performance.now();
    const response = await fetch(`${server.origin}/${row?.hash}`, { redirect: "manual" });
    await response.arrayBuffer();
    expect([301, 302]).toContain(response.status);
    if (began <= since + guaranteedDelay) continue;
    promised += 1;
    const isRight = response.headers.get("location") === row?.url;
    if (!isRight) wrong.push(`${row?.hash} after ${began - since} ms`);
  }
  return wrong;
}

const title = "an exported file is edited, sent back, followed by scans and undone as a whole";

it(title, { timeout: patience + 5 * waitTimeout }, async () => {
  await using server = await fixture.serve();
  const items = Array.from({ length: codeCount }, (_, i) => ({
    ...{ qrType: "url", name: `Table ${i}`, tags: ["trip"], externalId: `T-${i}` },
    data: { type: "url", url: `https://old.example/${i}` },
  }));
  const creation = call(server, "/qr/bulk", { method: "POST", body: JSON.stringify({ items }) });
  const { jobId: created } = await readStrictly(creation, 202, BulkJob);
  await completedJob(server, created);

  const before = await exported(server);
  expect(before).toHaveLength(codeCount);
  const edited = before.map((row, i) => ({ ...row, url: `https://new.example/${i}` }));
  const columns = Object.keys(edited[0] ?? {});
  const file =
    csvRow(columns) + edited.map((row: Row) => csvRow(columns.map((name) => row[name] ?? ""))).join("");
  const sentAt = performance.now();
  const change = call(server, "/qr/bulk-update/csv", { method: "POST", body: file });
  const { jobId } = await readStrictly(change, 202, BulkJob);
  expect(await completedJob(server, jobId)).toMatchObject({ successCount: codeCount, failureCount: 0 });
  const changedAt = performance.now();
  expect(await wrongScans(server, edited, changedAt)).toEqual([]);
  expect(withoutTimes(await exported(server))).toBe(withoutTimes(edited));

  const session = { cookie: await memberCookie(), origin, "content-type": "application/json" };
  const history = fetch(`${server.origin}/api/v1/developer/history?kind=job`, { headers: session });
  const entry = (await readStrictly(history, 200, HistoryList)).items.find(
    ({ object }) => object.id === jobId,
  );
  const undoneAt = performance.now();
  const undo = fetch(`${server.origin}/api/v1/developer/history/${entry?.id}/revert`, {
    ...{ method: "POST", headers: session },
  });
  const undoing = (await readStrictly(undo, 200, Reverted)).job?.jobId ?? "";
  expect(await completedJob(server, undoing)).toMatchObject({ successCount: codeCount, failureCount: 0 });
  const endedAt = performance.now();
  expect(await wrongScans(server, before, endedAt)).toEqual([]);
  expect(withoutTimes(await exported(server))).toBe(withoutTimes(before));
  const seconds = (from: number, to: number) => ((to - from) / 1000).toFixed(1);
  console.log(
    `${codeCount} codes changed in ${seconds(sentAt, changedAt)} s and undone in ${seconds(undoneAt, endedAt)} s`,
  );
});
