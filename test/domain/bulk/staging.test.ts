import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { slicesAtOnce } from "../../../src/domain/bulk/create-slice.ts";
import { takeAbandonedJobs } from "../../../src/store/bulk/staging.ts";
import { BulkHarness, catalogueWith, goodItems, item, mortalCatalogue } from "../../support/bulk.ts";
import { type Client, emittedEvents } from "../../support/service.ts";

let harness: BulkHarness;

beforeEach(async () => {
  // Jobs that an earlier test left would be swept by a later one.
  await env.DB.batch([env.DB.prepare("DELETE FROM bulk_items"), env.DB.prepare("DELETE FROM bulk_jobs")]);
  harness = new BulkHarness();
});

const count = (table: string, condition: string, ...values: unknown[]) =>
  env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`)
    .bind(...values)
    .first<number>("n");

describe("a request that dies while it stages a job", () => {
  const note = "x".repeat(8000);
  const large = Array.from({ length: 40 }, (_, i) => ({
    ...item(i),
    advanced: { note },
    colorConfig: { note },
  }));

  async function stagePartly(client: Client, db: D1Database, died: Promise<void>) {
    const response = client.service.fetch.bind(harness.isolate({ db }))("/api/v1/qr/bulk", {
      method: "POST",
      headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json" },
      body: JSON.stringify({ items: large }),
    });
    await Promise.race([response, died]);
    return env.DB.prepare("SELECT id FROM bulk_jobs WHERE workspace_id = ?")
      .bind(client.workspaceId)
      .first<string>("id");
  }

  it("leaves nothing visible that runs, and the sweep deletes it", async () => {
    const client = await harness.service.workspace();
    const { db, died } = mortalCatalogue(1);
    const jobId = await stagePartly(client, db, died);
    const items = () => count("bulk_items", "job_id = ?", jobId);
    expect(await items()).toBeGreaterThan(0);
    expect(await items()).toBeLessThan(large.length);
    for (const path of [`/qr/bulk/${jobId}`, `/qr/bulk/${jobId}/download`]) {
      expect((await client.send("GET", path)).status).toBe(404);
    }
    harness.clock.advance(60_000);
    await harness.sweep();
    expect(await items()).toBeGreaterThan(0);
    harness.clock.advance(1);
    await harness.deliver([{ task: "run", workspaceId: client.workspaceId, jobId: jobId ?? "" }]);
    expect(await count("qr_codes", "workspace_id = ?", client.workspaceId)).toBe(0);
    await harness.sweep();
    expect(await items()).toBe(0);
    expect(await count("bulk_jobs", "id = ?", jobId)).toBe(0);
    expect(harness.queued).toEqual([]);
  });

  it.each([
    ["a portion", 2],
    ["the end", 3],
  ])(
    "and comes back before %s, while the sweep deletes the job, is answered 500 and stores nothing",
    async (_, step) => {
      const client = await harness.service.workspace();
      const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
      const { promise: waiting, resolve: wait } = Promise.withResolvers<void>();
      let batches = 0;
      const slow = catalogueWith(async (statements) => {
        batches += 1;
        if (batches === step) {
          wait();
          await resumed;
        }
        return env.DB.batch(statements);
      });
      const headers = { authorization: `Bearer ${client.key}`, "content-type": "application/json" };
      const send = (isolate = harness.service) =>
        isolate.fetch("/api/v1/qr/bulk", {
          method: "POST",
          headers: { ...headers, "idempotency-key": "slow" },
          body: JSON.stringify({ items: large }),
        });
      const answer = send(harness.isolate({ db: slow }));
      await waiting;
      harness.clock.advance(60_001);
      // The sweep has taken the job and not deleted it yet.
      const now = harness.clock.now();
      expect(await takeAbandonedJobs(env.DB, now, now + 60_000)).toHaveLength(1);
      const items = await count("bulk_items", "1 = 1");
      resume();
      expect((await answer).status).toBe(500);
      expect(await count("bulk_items", "1 = 1")).toBe(items);
      expect(await count("idempotency_records", "workspace_id = ?", client.workspaceId)).toBe(0);
      harness.clock.advance(60_001);
      await harness.sweep();
      expect(await count("bulk_items", "1 = 1")).toBe(0);
      expect((await send()).status).toBe(202);
      await harness.drain();
      expect(await count("qr_codes", "workspace_id = ?", client.workspaceId)).toBe(large.length);
    },
  );
});

describe("a large job", () => {
  const tags = Array.from({ length: 50 }, (_, i) => `tag ${i}`);

  it("is stored in portions and run in slices, by the size and the tags of its rows", async () => {
    const client = await harness.service.workspace();
    const slicesOf = async (rows: unknown[]) => {
      const { jobId } = await harness.accepted(await harness.json(client, rows));
      const job = env.DB.prepare("SELECT slices FROM bulk_jobs WHERE id = ?").bind(jobId);
      return JSON.parse((await job.first<string>("slices")) ?? "") as number[];
    };
    const small = await slicesOf(goodItems(900));
    expect(small).toEqual([0, expect.any(Number)]);
    const tagged = await slicesOf(goodItems(120).map((row) => ({ ...row, tags })));
    expect(tagged.length).toBeGreaterThan(2);
    const advanced = { note: "x".repeat(8000) };
    const wide = await slicesOf(goodItems(120).map((row) => ({ ...row, advanced, colorConfig: advanced })));
    expect(wide.length).toBeGreaterThan(2);
  });

  it("is run in several invocations, each of which stays within D1's 1000 queries", async () => {
    const client = await harness.service.workspace();
    const rows = 2 * slicesAtOnce + 1;
    let statements = 0;
    const counting = harness.isolate({
      db: catalogueWith((batch) => {
        statements += batch.length;
        return env.DB.batch(batch);
      }),
    });
    const { jobId } = await harness.accepted(await harness.json(client, goodItems(rows)));
    await env.DB.prepare("UPDATE bulk_jobs SET slices = ? WHERE id = ?")
      .bind(JSON.stringify([...Array(rows).keys()]), jobId)
      .run();
    let invocations = 0;
    for (; harness.queued.some(({ task }) => task === "run"); invocations += 1) {
      statements = 0;
      await harness.deliver(harness.queued.splice(0), counting);
      expect(statements).toBeLessThan(900);
    }
    expect(invocations).toBe(3);
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: rows });
    const completions = emittedEvents().filter(
      (event) => event.kind === "bulk.completed" && event.workspaceId === client.workspaceId,
    );
    expect(completions).toHaveLength(1);
  });
});
