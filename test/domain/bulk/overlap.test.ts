import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DepsOverrides } from "../../../src/composition.ts";
import { limits } from "../../../src/contract/limits.ts";
import { bulkJobs } from "../../../src/domain/bulk/kind.ts";
import type { Deps } from "../../../src/domain/deps.ts";
import type { BulkTask } from "../../../src/protocol/messages.ts";
import { regions } from "../../../src/protocol/regions.ts";
import { BulkHarness, catalogueWith, insertCodes, mortalCatalogue, unpublished } from "../../support/bulk.ts";
import { sample } from "../../support/runner/runs.ts";
import { type Client, emittedEvents, Service } from "../../support/service.ts";
import { lateFeed } from "../../support/world/late-feeds.ts";
import { MortalIsolate } from "../../support/world/mortal-isolate.ts";

let harness: BulkHarness;
let client: Client;

beforeEach(async () => {
  // Jobs that an earlier test left would be swept by a later one.
  await env.DB.batch([env.DB.prepare("DELETE FROM bulk_items"), env.DB.prepare("DELETE FROM bulk_jobs")]);
  harness = new BulkHarness();
  client = await harness.service.workspace();
});

/** Much less than it would be. */
const maxUnsettled = 6;
const { unsettled } = limits.bulkUpdate;
beforeEach(() => void Object.assign(limits.bulkUpdate, { unsettled: maxUnsettled }));
afterEach(() => void Object.assign(limits.bulkUpdate, { unsettled }));

const [lease, retry] = [bulkJobs.leaseSeconds * 1000, bulkJobs.retryAfter() * 1000];

/** Starts a bulk update that changes the route of every code, in slices of `size` codes, if that is given. */
async function start(count: number, size?: number): Promise<string> {
  await insertCodes(client, count);
  const change = { replace: { host: { from: "example.com", to: "b.example" } } };
  const { jobId } = await harness.accepted(await harness.update(client, { filter: {}, change }));
  if (size !== undefined) {
    const starts = Array.from({ length: Math.ceil(count / size) }, (_, i) => i * size);
    await env.DB.prepare("UPDATE bulk_jobs SET slices = ? WHERE id = ?")
      .bind(JSON.stringify(starts), jobId)
      .run();
  }
  return jobId;
}

/** Checks that each code was changed once, with one event, that scans follow, and that the job ended once. */
async function expectChanged(jobId: string, count: number): Promise<void> {
  const job = await harness.read(client, jobId);
  expect(job).toMatchObject({ status: "completed", successCount: count, failureCount: 0 });
  expect(job.items.every(({ changed }) => changed === true)).toBe(true);
  const edge = new Service({ now: harness.clock.now });
  for (const { qrHash } of job.items.filter((_, row) => row % Math.ceil(count / 10) === 0)) {
    expect((await edge.scan(qrHash ?? "")).headers.get("location")).toMatch(/^https:\/\/b\.example\//);
  }
  const own = emittedEvents().filter(({ workspaceId }) => workspaceId === client.workspaceId);
  expect(own.filter(({ kind }) => kind === "qr.updated")).toHaveLength(count);
  const [completed, ...others] = own.filter(
    ({ kind, data }) => kind === "bulk.completed" && data.jobId === jobId,
  );
  expect(completed?.data).toMatchObject({ successCount: count, failureCount: 0 });
  expect(others).toEqual([]);
  expect(await unpublished(client)).toEqual([]);
  expect(
    await env.DB.prepare("SELECT resume_at FROM bulk_jobs WHERE id = ?").bind(jobId).first("resume_at"),
  ).toBe(null);
}

/** Feeds of which the last takes changes only when it is let go. */
class SlowFeeds {
  /** The keys of changes that wait. */
  readonly waiting = new Map<string, () => void>();

  readonly feed: Deps["feed"] = (region) =>
    region !== regions.at(-1)
      ? lateFeed(region)
      : {
          changes: (seq) => lateFeed(region).changes(seq),
          publish: async (changes) => {
            await new Promise<void>((resolve) => {
              for (const { key } of changes) this.waiting.set(key, resolve);
            });
            await lateFeed(region).publish(changes);
          },
        };

  /** Lets changes go on, by default those that began first. */
  release(keys: readonly string[] = [...this.waiting.keys()]): void {
    for (const key of keys) {
      this.waiting.get(key)?.();
      this.waiting.delete(key);
    }
  }
}

/** Takes the messages that go on with a job from the queue. */
function takeRuns(): BulkTask[] {
  const queued = harness.queued.splice(0);
  harness.queued.push(...queued.filter(({ task }) => task !== "run"));
  return queued.filter(({ task }) => task === "run");
}

/** Delivers the queued messages of jobs, each in an isolate, where no call times out. @returns what is in progress */
const deliverRuns = (overrides: DepsOverrides): Promise<unknown>[] =>
  takeRuns().map((task) =>
    harness.deliver([task], harness.isolate({ startTimer: () => () => {}, ...overrides })),
  );

/** Goes on after the leases of workers have ended. */
async function goOn(): Promise<void> {
  await harness.drain();
  harness.clock.advance(lease);
  await harness.sweep();
  await harness.drain();
}

/** The rows of a job's items that have succeeded. */
async function succeededRows(jobId: string): Promise<number[]> {
  const { items, successCount } = await harness.read(client, jobId);
  const rows = items.filter(({ status }) => status === "succeeded").map(({ rowIndex }) => rowIndex);
  expect(rows).toHaveLength(successCount);
  return rows;
}

/** The hashes of the codes that some of a job's items name. */
async function hashesOf(jobId: string, rows: readonly number[]): Promise<string[]> {
  const { items } = await harness.read(client, jobId);
  return rows.map((row) => items[row]?.qrHash ?? "");
}

/** A catalogue that changes the codes of one slice, and refuses to settle its items. */
function refusingToSettle(): D1Database {
  let batches = 0;
  return catalogueWith(async (statements) => {
    batches += 1;
    if (batches > 1) throw new Error("the catalogue refuses to settle items");
    return env.DB.batch(statements);
  });
}

describe("slices of a bulk update", () => {
  it("are published side by side, up to the bound, and settled only once every feed has them", async () => {
    const count = maxUnsettled + 2;
    const jobId = await start(count, 2);
    const feeds = new SlowFeeds();
    const working: Promise<unknown>[] = [];
    const changed = async () =>
      env.DB.prepare("SELECT count(*) AS n FROM bulk_items WHERE job_id = ? AND changed")
        .bind(jobId)
        .first("n");
    for (let slices = 1; slices <= maxUnsettled / 2; slices += 1) {
      working.push(...deliverRuns({ feed: feeds.feed }));
      await expect.poll(() => feeds.waiting.size).toBe(2 * slices);
      expect(await changed()).toBe(2 * slices);
    }
    // No message is left for a further slice until one of these is settled.
    expect(harness.queued.filter(({ task }) => task === "run")).toEqual([]);
    expect(await harness.read(client, jobId)).toMatchObject({ successCount: 0, failureCount: 0 });
    let isDone = false;
    void Promise.all(working).then(() => {
      isDone = true;
    });
    while (!isDone) {
      feeds.release();
      await scheduler.wait(0);
    }
    expect(await harness.read(client, jobId)).toMatchObject({
      status: "processing",
      successCount: maxUnsettled,
    });
    await harness.drain();
    await expectChanged(jobId, count);
  });

  it("are settled in any order; the job is completed once, with the last of them", async () => {
    const jobId = await start(6, 2);
    const feeds = new SlowFeeds();
    const working: Promise<unknown>[] = [];
    for (const slice of [1, 2, 3]) {
      working.push(...deliverRuns({ feed: feeds.feed }));
      await expect.poll(() => feeds.waiting.size).toBe(2 * slice);
    }
    for (const { released, succeeded } of [
      { released: [4, 5], succeeded: [4, 5] },
      { released: [0, 1], succeeded: [0, 1, 4, 5] },
    ]) {
      feeds.release(await hashesOf(jobId, released));
      await expect.poll(() => succeededRows(jobId)).toEqual(succeeded);
      expect((await harness.read(client, jobId)).status).toBe("processing");
    }
    feeds.release();
    await Promise.all(working);
    await harness.drain();
    await expectChanged(jobId, 6);
  });

  it("are changed and settled once, should every message be delivered twice", async () => {
    const jobId = await start(6, 2);
    for (let tasks = takeRuns(); tasks.length > 0; tasks = takeRuns()) {
      await Promise.all([...tasks, ...tasks].map((task) => harness.deliver([task], harness.isolate())));
    }
    await goOn();
    await expectChanged(jobId, 6);
  });

  it("are counted once, should one be settled again because its worker is slow", async () => {
    const jobId = await start(6, 2);
    const feeds = new SlowFeeds();
    const slow = deliverRuns({ feed: feeds.feed });
    await expect.poll(() => feeds.waiting.size).toBe(2);
    await harness.drain();
    expect(await succeededRows(jobId)).toEqual([2, 3, 4, 5]);
    await goOn();
    await expectChanged(jobId, 6);
    feeds.release();
    await Promise.all(slow);
    await harness.drain();
    await expectChanged(jobId, 6);
  });

  it("are settled at the end of the job, should their settlement fail or never be made", async () => {
    const jobId = await start(8, 2);
    await Promise.all(deliverRuns({ db: refusingToSettle() }));
    const { db, died } = mortalCatalogue(1);
    await Promise.race([...deliverRuns({ db }), died]);
    await harness.drain();
    expect(await succeededRows(jobId)).toEqual([4, 5, 6, 7]);
    expect((await harness.read(client, jobId)).status).toBe("processing");
    await goOn();
    await expectChanged(jobId, 8);
  });

  it("that can't be settled end their job as failed; the others stay settled", async () => {
    const jobId = await start(6, 2);
    await Promise.all(deliverRuns({ db: refusingToSettle() }));
    await harness.drain();
    harness.clock.advance(lease);
    await env.DB.prepare("UPDATE bulk_jobs SET attempts = ? WHERE id = ?")
      .bind(bulkJobs.maxAttempts - 1, jobId)
      .run();
    await harness.sweep();
    await Promise.all(deliverRuns({ db: catalogueWith(() => Promise.reject(new Error("it refuses"))) }));
    expect((await harness.read(client, jobId)).status).toBe("processing");
    harness.clock.advance(retry);
    await harness.sweep();
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({
      status: "failed",
      successCount: 6,
      failureCount: 0,
    });
  });

  it.each(sample([...Array(40).keys()], 14))(
    "are changed and settled once, should the first one's worker die after %i calls",
    async (calls) => {
      const jobId = await start(3, 1);
      const tasks = takeRuns().map((body) => ({ body }));
      await new MortalIsolate(harness.service.deps, calls).consume("bulk", tasks);
      await goOn();
      await goOn();
      await expectChanged(jobId, 3);
    },
  );
});
