import { afterAll, beforeAll, expect, it } from "vitest";
import { memberCookie, origin } from "../../../scripts/lib/seed.ts";
import { BulkJob } from "../../../src/contract/resources/codes/bulk.ts";
import { QrList } from "../../../src/contract/resources/codes/qr.ts";
import { waitTimeout } from "../../e2e/support/load.ts";
import { LoadFixture, type LoadServer } from "../../e2e/support/load-server.ts";
import { readStrictly } from "../../e2e/support/read-strictly.ts";
import { runs } from "../../support/runner/runs.ts";
import { call, completed } from "../support/load-jobs.ts";

/** Codes that one bulk update changes: in three slices, which are changed while others are published, or many. */
const codeCount = runs(450, 25_000);
/** Rows of a bulk job that creates codes. */
const rowsPerJob = runs(450, 5000);
/** The bound of docs/guarantee.md, milliseconds. Not imported, so that a changed constant can't loosen the test. */
const guaranteedDelay = 1000;
/**
 * How long the jobs and the scans of all codes may take, milliseconds. A changed code is one write to KV, which takes about
 * 4 ms locally.
 */
const patience = runs(20, 40) * waitTimeout;
/** Few, because each scans as fast as it can, beside other tests. */
const scanners = 2;

let fixture: LoadFixture;
beforeAll(async () => {
  fixture = await LoadFixture.create(0);
});
afterAll(() => fixture?.[Symbol.asyncDispose]());

const post = (server: LoadServer, path: string, body: object) =>
  call(server, path, { method: "POST", body: JSON.stringify(body) });

/** Creates codes by bulk jobs. @returns their hashes */
async function createCodes(server: LoadServer): Promise<string[]> {
  const hashes: string[] = [];
  for (let from = 0; from < codeCount; from += rowsPerJob) {
    const items = Array.from({ length: rowsPerJob }, (_, i) => ({
      qrType: "url",
      data: { type: "url", url: `https://old.example/${from + i}` },
    }));
    const { jobId } = await readStrictly(post(server, "/qr/bulk", { items }), 202, BulkJob);
    const job = await completedJob(server, jobId);
    hashes.push(...job.items.flatMap(({ createdQrHash }) => createdQrHash ?? []));
  }
  expect(hashes).toHaveLength(codeCount);
  return hashes;
}

const completedJob = (server: LoadServer, jobId: string) =>
  completed(server, `/qr/bulk/${jobId}`, { timeout: patience, interval: 300 });

/** Counts every event in a batch, so that none is sent. */
const countEvents = async (server: LoadServer) =>
  fetch(`${server.origin}/api/v1/developer/webhooks`, {
    method: "POST",
    headers: { cookie: await memberCookie(), origin, "content-type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/", events: ["qr.updated"], mode: "batched_5m" }),
  });

/** Scans codes in turn until it is stopped, each scan with where it led and when it began. */
class Scanners {
  readonly scans: { code: number; location: string | null; began: number }[] = [];
  readonly #running: Promise<unknown>;
  #isStopped = false;

  constructor(server: LoadServer, hashes: readonly string[]) {
    let next = 0;
    const scan = async () => {
      while (!this.#isStopped) {
        const code = next % hashes.length;
        next += 1;
        const began = performance.now();
        const response = await fetch(`${server.origin}/${hashes[code]}`, {
          redirect: "manual",
          headers: { "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)" },
        });
        await response.arrayBuffer();
        this.scans.push({ code, location: response.headers.get("location"), began });
      }
    };
    this.#running = Promise.all(Array.from({ length: scanners }, scan));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }
}

const title =
  "scans follow one bulk update of many codes; none fails or is lost, and each code has one event";

it(title, { timeout: patience + 5 * waitTimeout }, async () => {
  await using server = await fixture.serve();
  const hashes = await createCodes(server);
  expect((await countEvents(server)).status).toBe(201);
  const running = new Scanners(server, hashes);
  const host = { from: "old.example", to: "new.example" };
  const startedAt = performance.now();
  const body = { filter: {}, change: { replace: { host } } };
  const { jobId } = await readStrictly(post(server, "/qr/bulk-update", body), 202, BulkJob);
  const job = await completedJob(server, jobId);
  const completedAt = performance.now();
  console.log(`${codeCount} codes changed in ${Math.round(completedAt - startedAt)} ms beside scans`);
  // Scans of every code that the guarantee promises the new destination.
  const promised = () => running.scans.filter(({ began }) => began > completedAt + guaranteedDelay);
  await expect
    .poll(() => new Set(promised().map(({ code }) => code)).size, { timeout: patience })
    .toBe(codeCount);
  await running.stop();

  expect(job).toMatchObject({
    kind: "update",
    totalItems: codeCount,
    successCount: codeCount,
    failureCount: 0,
  });
  const destination = (hostName: string, code: number) => `https://${hostName}/${code}`;
  const wrong = running.scans.filter(
    ({ code, location }) =>
      location !== destination("old.example", code) && location !== destination("new.example", code),
  );
  expect(wrong).toEqual([]);
  const late = promised().filter(({ code, location }) => location !== destination("new.example", code));
  expect(late).toEqual([]);
  const isOld = ({ location }: { location: string | null }) => location?.startsWith("https://old.example/");
  expect(running.scans.filter(isOld).length).toBeGreaterThan(0);
  await server.drain();
  await expect
    .poll(() => server.ledger(), { timeout: waitTimeout })
    .toMatchObject({ rows: { humans: running.scans.length } });
  await expect.poll(() => server.batchedEvents("qr.updated"), { timeout: waitTimeout }).toBe(codeCount);
  const { items } = await readStrictly(call(server, "/qr?limit=1"), 200, QrList);
  expect(items[0]?.data).toMatchObject({ url: expect.stringMatching(/^https:\/\/new\.example\//) });
});
