import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { bulkJobs } from "../../../src/domain/bulk/kind.ts";
import { runBulk } from "../../../src/domain/bulk/run.ts";
import type { BulkTask, JobRun } from "../../../src/protocol/messages.ts";
import { BulkHarness, catalogueWith, goodItems, mortalCatalogue } from "../../support/bulk.ts";
import { type Client, emittedEvents } from "../../support/service.ts";

let harness: BulkHarness;

beforeEach(async () => {
  // Jobs that an earlier test left would be swept by a later one.
  await env.DB.batch([env.DB.prepare("DELETE FROM bulk_items"), env.DB.prepare("DELETE FROM bulk_jobs")]);
  harness = new BulkHarness();
});

const [lease, retry] = [bulkJobs.leaseSeconds * 1000, bulkJobs.retryAfter() * 1000];

const completions = ({ workspaceId }: Client) =>
  emittedEvents().filter((event) => event.kind === "bulk.completed" && event.workspaceId === workspaceId);

const count = (table: string, condition: string, ...values: unknown[]) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`)
    .bind(...values)
    .first<number>("n");

/** Rows of a job of two slices. */
const rowCount = 6;

/** Starts a job and takes its message from the queue. Its slices are much smaller than they would be. */
async function start(client: Client, rows: unknown[]): Promise<{ jobId: string; tasks: BulkTask[] }> {
  const { jobId } = await harness.accepted(await harness.json(client, rows));
  await env.DB.prepare("UPDATE bulk_jobs SET slices = ? WHERE id = ?")
    .bind(JSON.stringify([0, rowCount / 2]), jobId)
    .run();
  return { jobId, tasks: harness.queued.splice(0) };
}

/** An isolate in which slices fail from the given one on. */
const failingFrom = (slice: number) => {
  let slices = 0;
  return harness.isolate({
    db: catalogueWith(async (statements) => {
      if (statements.length === 6) {
        if (slices >= slice) throw new Error("the catalogue refuses this slice");
        slices += 1;
      }
      return env.DB.batch(statements);
    }),
  });
};

describe("a job whose worker was killed", () => {
  it("continues once its lease has ended, and not before", async () => {
    const client = await harness.service.workspace();
    const { jobId, tasks } = await start(client, goodItems(rowCount));
    const { db, died } = mortalCatalogue(1);
    await Promise.race([harness.deliver(tasks, harness.isolate({ db })), died]);
    const { successCount } = await harness.read(client, jobId);

    const run = tasks[0] as JobRun;
    const defer = () => {};
    expect(await runBulk(harness.service.deps, run, defer)).toBe(bulkJobs.leaseSeconds);
    harness.clock.advance(lease - 1);
    expect(await runBulk(harness.service.deps, run, defer)).toBe(1);
    const early = await harness.deliver(tasks);
    expect(early.retryMessages).toEqual([{ msgId: "0" }]);
    expect((await harness.read(client, jobId)).successCount).toBe(successCount);

    harness.clock.advance(1);
    expect((await harness.deliver(tasks)).explicitAcks).toHaveLength(1);
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: rowCount });
    await harness.drain();
  });

  it("is queued again within a minute, should its message be lost too", async () => {
    const client = await harness.service.workspace();
    const { jobId, tasks } = await start(client, goodItems(rowCount));
    const { db, died } = mortalCatalogue(1);
    await Promise.race([harness.deliver(tasks, harness.isolate({ db })), died]);
    harness.clock.advance(60_000);
    await harness.sweep();
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: rowCount });
  });

  it.each([0, 20, 59])(
    "continues within a minute, should its message be lost and the sweep run %d s later",
    async (later) => {
      const client = await harness.service.workspace();
      const { jobId, tasks } = await start(client, goodItems(rowCount));
      const { db, died } = mortalCatalogue(1);
      await Promise.race([harness.deliver(tasks, harness.isolate({ db })), died]);
      const queued: { task: BulkTask; delay: number }[] = [];
      const send = async (task: BulkTask, options?: QueueSendOptions) =>
        void queued.push({ task, delay: options?.delaySeconds ?? 0 });
      const sweeper = harness.isolate({ bulkQueue: { send } as unknown as Queue<BulkTask> });
      harness.clock.advance(later * 1000);
      await sweeper.worker.scheduled(undefined, env);
      const [{ task, delay } = { task: tasks[0], delay: Number.NaN }] = queued;
      expect(queued).toHaveLength(1);
      expect(later + delay).toBeLessThanOrEqual(60);
      harness.clock.advance(delay * 1000);
      expect((await harness.deliver([task as BulkTask])).explicitAcks).toHaveLength(1);
      await harness.drain();
      expect(await harness.read(client, jobId)).toMatchObject({
        status: "completed",
        successCount: rowCount,
      });
    },
  );

  it("stops its worker if that was only slow and another has taken the job over, and does no harm", async () => {
    const client = await harness.service.workspace();
    const { jobId, tasks } = await start(client, goodItems(rowCount));
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    const { promise: waiting, resolve: wait } = Promise.withResolvers<void>();
    let slices = 0;
    const slow = harness.isolate({
      db: catalogueWith(async (statements) => {
        if (statements.length === 6) slices += 1;
        if (slices === 2) {
          wait();
          await resumed;
        }
        return env.DB.batch(statements);
      }),
    });
    const first = harness.deliver(tasks, slow);
    await waiting;
    harness.clock.advance(lease);
    const { db, died } = mortalCatalogue(1);
    await Promise.race([harness.deliver(tasks, harness.isolate({ db })), died]);
    resume();
    expect((await first).explicitAcks).toHaveLength(1);
    expect(slices).toBe(2);
    harness.clock.advance(lease);
    await harness.deliver(tasks);
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: rowCount });
    expect(await count("qr_codes", "workspace_id = ?", client.workspaceId)).toBe(rowCount);
    expect(completions(client)).toHaveLength(1);
  });
});

describe("a job whose message was lost", () => {
  it("is queued again by the next sweep, however soon that is", async () => {
    const client = await harness.service.workspace();
    const { jobId } = await start(client, goodItems(rowCount));
    await harness.sweep();
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed" });
  });
});

describe("a job with a slice that always fails", () => {
  it("is tried again, and completed if the slice succeeds in the end", async () => {
    const client = await harness.service.workspace();
    const { jobId, tasks } = await start(client, goodItems(rowCount));
    const failing = failingFrom(1);
    await harness.deliver(tasks, failing);
    expect(harness.queued.splice(0)).toEqual(tasks);
    expect(await harness.read(client, jobId)).toMatchObject({ status: "processing", error: null });
    harness.clock.advance(retry);
    await harness.deliver(tasks);
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: rowCount });
  });

  it("ends as failed, keeps what was created, and says why", async () => {
    const client = await harness.service.workspace();
    const { jobId, tasks } = await start(client, [...goodItems(rowCount), { qrType: "nonsense" }]);
    const failing = failingFrom(1);
    for (let attempt = 0; attempt < bulkJobs.maxAttempts + 1; attempt += 1) {
      expect((await harness.read(client, jobId)).status).toBe(attempt === 0 ? "queued" : "processing");
      await harness.deliver(tasks, failing);
      harness.clock.advance(retry);
    }
    // The first attempt made progress, so that it does not count.
    expect((await harness.read(client, jobId)).status).toBe("processing");
    await harness.deliver(tasks, failing);
    await harness.drain();

    const { items, itemsExpireAt: _, outcome: __, ...job } = await harness.read(client, jobId);
    const created = items.filter((row) => row.status === "succeeded");
    expect(created.length).toBeGreaterThan(0);
    expect(job).toMatchObject({
      status: "failed",
      totalItems: rowCount + 1,
      successCount: created.length,
      failureCount: rowCount + 1 - created.length,
      completedAt: new Date(harness.clock.now()).toISOString(),
      error: expect.stringMatching(/couldn't finish/),
    });
    const lost = items.filter((row) => row.error?.startsWith("The code couldn't be created"));
    expect(lost).toHaveLength(rowCount - created.length);
    expect(items.at(-1)?.error).toMatch(/^qrType /);
    expect(await count("qr_codes", "workspace_id = ?", client.workspaceId)).toBe(created.length);
    expect((await client.send("GET", `/qr/${created[0]?.createdQrId}`)).status).toBe(200);
    expect(completions(client).map((event) => event.data)).toEqual([job]);

    await harness.deliver(tasks);
    harness.clock.advance(60_000);
    await harness.sweep();
    expect(harness.queued).toEqual([]);
    expect((await harness.read(client, jobId)).failureCount).toBe(job.failureCount);
  });

  it("is continued by the sweep when its message has failed every retry", async () => {
    const client = await harness.service.workspace();
    const { jobId, tasks } = await start(client, goodItems(rowCount));
    await harness.deliver(tasks, failingFrom(0));
    harness.queued.length = 0;
    await harness.service.consume(
      "bulk-dead",
      tasks.map((body) => ({ id: "dead", body })),
    );
    expect(await count("dead_letters", "queue = 'bulk' AND message_id = 'dead'")).toBe(1);
    harness.clock.advance(retry);
    await harness.sweep();
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: rowCount });
  });
});
