import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { BulkJobWithItems } from "../../../src/contract/resources/codes/bulk.ts";
import { enqueueFills } from "../../../src/domain/bulk/fill.ts";
import type { Deps } from "../../../src/domain/deps.ts";
import type { BulkTask } from "../../../src/protocol/messages.ts";
import type { FeedChange } from "../../../src/protocol/route-feed.ts";
import type { Route } from "../../../src/protocol/routes.ts";
import type { JobProgress } from "../../../src/store/bulk/run.ts";
import { BulkHarness, goodItems, unpublished } from "../../support/bulk.ts";
import type { Client, Service } from "../../support/service.ts";

const harness = new BulkHarness();
let client: Client;

beforeAll(async () => {
  client = await harness.service.workspace();
});

/** A job that is completed, and the messages that fill the route cache with its codes. */
async function completed(rows: number) {
  const { jobId } = await harness.accepted(await harness.json(client, goodItems(rows)));
  await harness.deliver(harness.queued.splice(0));
  const job = await harness.read(client, jobId);
  expect(job.status).toBe("completed");
  return { job, fills: harness.queued.splice(0) };
}

const hashesOf = ({ items }: BulkJobWithItems) => items.map((row) => row.createdQrHash ?? "");
const cached = (hash: string) => env.ROUTES.get<Route>(hash, "json");
/** How many of the codes are not in KV. */
async function missing(hashes: readonly string[]): Promise<number> {
  const keys = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: KVNamespaceListResult<unknown> = await env.ROUTES.list({ cursor });
    for (const { name } of page.keys) keys.add(name);
    cursor = page.list_complete ? null : page.cursor;
  } while (cursor !== null);
  return hashes.filter((hash) => !keys.has(hash)).length;
}

/** An isolate whose route cache does something before or instead of its writes. */
const writing = (put: (key: string, value: string) => Promise<void>): Service =>
  harness.isolate({
    routeCache: { get: env.ROUTES.get.bind(env.ROUTES), put } as unknown as KVNamespace,
  });

describe("the route cache, after a job was completed,", () => {
  it("has every code, part by part, so that its scans do not read the catalogue", async () => {
    const { job, fills } = await completed(20);
    expect(await missing(hashesOf(job))).toBe(20);
    const parts = fills.flatMap((fill) => [
      { ...fill, from: 0, rows: 15 },
      { ...fill, from: 15, rows: 15 },
    ]);
    for (const [i, part] of parts.entries()) {
      expect((await harness.deliver([part])).explicitAcks).toHaveLength(1);
      expect(await missing(hashesOf(job))).toBe([5, 0][i]);
    }
    const noCatalogue = harness.isolate({
      db: {
        withSession: () => Promise.reject(new Error("a scan read the catalogue")),
      } as unknown as D1Database,
    });
    for (const i of [0, 14, 15]) {
      const response = await noCatalogue.scan(hashesOf(job)[i] ?? "");
      expect([response.status, response.headers.get("location")]).toEqual([302, `https://example.com/${i}`]);
    }
  });

  it("is written by messages of 400 codes each", async () => {
    const { job } = await completed(1);
    const { workspaceId } = client;
    const progress = { workspaceId, id: job.jobId, totalItems: 401 } as JobProgress;
    expect(await enqueueFills(harness.service.deps, progress)).toBe(true);
    const task = { task: "fill", workspaceId, jobId: job.jobId, rows: 400 };
    expect(harness.queued.splice(0)).toEqual([
      { ...task, from: 0 },
      { ...task, from: 400 },
    ]);
  });

  it("is written by at most six writes at a time, and again by a repetition", async () => {
    const { job, fills } = await completed(20);
    let writes = 0;
    let underWay = 0;
    let most = 0;
    const counting = writing(async (key, value) => {
      writes += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      await env.ROUTES.put(key, value);
      underWay -= 1;
    });
    await harness.deliver(fills, counting);
    expect([writes, most]).toEqual([20, 6]);
    await harness.deliver(fills, counting);
    expect(writes).toBe(40);
    expect(await missing(hashesOf(job))).toBe(0);
  });

  it("keeps a change that was made while it was written", async () => {
    const { job, fills } = await completed(20);
    const [first, second] = job.items;
    let changed = false;
    const slow = writing(async (key, value) => {
      if (key === first?.createdQrHash && !changed) {
        changed = true;
        const data = { type: "url", url: "https://example.com/changed" };
        expect((await client.send("PATCH", `/qr/${first.createdQrId}`, { data })).status).toBe(200);
        expect((await client.send("DELETE", `/qr/${second?.createdQrId}`)).status).toBe(200);
      }
      await env.ROUTES.put(key, value);
    });
    await harness.deliver(fills, slow);
    expect(await cached(first?.createdQrHash ?? "")).toMatchObject({
      version: 2,
      destination: "https://example.com/changed",
    });
    expect(await cached(second?.createdQrHash ?? "")).toMatchObject({ version: 2, status: "deleted" });
    await harness.deliver(fills);
    expect(await cached(first?.createdQrHash ?? "")).toMatchObject({ version: 2 });
  });

  it("gets the routes of codes that jobs change repeatedly only once, by the last one", async () => {
    const created = await completed(3);
    await harness.deliver(created.fills);
    const ids = created.job.items.map(({ createdQrId }) => createdQrId);
    const moved = async (from: string, to: string) => {
      harness.clock.advance(1000);
      const change = { replace: { host: { from, to } } };
      await harness.accepted(await harness.update(client, { ids, change }));
      const [run] = harness.queued.splice(0);
      await harness.deliver(run === undefined ? [] : [run]);
      return harness.queued.splice(0);
    };
    const first = await moved("example.com", "one.example");
    const second = await moved("one.example", "two.example");
    const keys: string[] = [];
    const noting = writing(async (key, value) => {
      keys.push(key);
      await env.ROUTES.put(key, value);
    });
    await harness.deliver(first, noting);
    expect([keys, (await unpublished(client)).length]).toEqual([[], 3]);
    await harness.deliver(second, noting);
    expect(keys.sort()).toEqual(hashesOf(created.job).sort());
    expect(await unpublished(client)).toEqual([]);
  });

  it("gets changes that the feeds list for so long that they needn't take them again", async () => {
    const created = await completed(2);
    await harness.deliver(created.fills);
    const ids = created.job.items.map(({ createdQrId }) => createdQrId);
    const published: number[] = [];
    const feed: Deps["feed"] = (region) => {
      const stub = harness.service.deps.feed(region);
      const publish = (changes: readonly FeedChange[]) => {
        if (region === "weur") published.push(changes.length);
        return stub.publish(changes);
      };
      return { publish, changes: (seq: number) => stub.changes(seq) } as typeof stub;
    };
    const counting = harness.isolate({ feed });
    const publishedBy = async (messages: readonly BulkTask[]) => {
      await harness.deliver(messages, counting);
      return published.splice(0);
    };
    const moved = async (from: string, to: string) => {
      harness.clock.advance(1000);
      await harness.accepted(
        await harness.update(client, { ids, change: { replace: { host: { from, to } } } }),
      );
      const [run] = harness.queued.splice(0);
      return [await publishedBy(run === undefined ? [] : [run]), harness.queued.splice(0)] as const;
    };
    const [first, fills] = await moved("example.com", "one.example");
    expect([first, await publishedBy(fills), await unpublished(client)]).toEqual([[2], [], []]);
    const [second, late] = await moved("one.example", "two.example");
    harness.clock.advance(8 * 60_000 + 1);
    expect([second, await publishedBy(late), await unpublished(client)]).toEqual([[2], [2], []]);
    const [, unlisted] = await moved("two.example", "three.example");
    const released = unlisted.map(
      ({ inFeeds: _, ...fill }: BulkTask & { inFeeds?: unknown }) => fill as BulkTask,
    );
    expect([await publishedBy(released), await unpublished(client)]).toEqual([[2], []]);
  });

  it("is written later if it refuses, without a change of the job", async () => {
    const { job, fills } = await completed(20);
    const broken = writing(() => Promise.reject(new Error("KV is down")));
    expect((await harness.deliver(fills, broken)).retryMessages).toHaveLength(1);
    expect(await harness.read(client, job.jobId)).toEqual(job);
    await harness.deliver(fills);
    expect(await missing(hashesOf(job))).toBe(0);
  });

  it("is written even if the queue first refused the messages for it", async () => {
    const { jobId } = await harness.accepted(await harness.json(client, goodItems(20)));
    harness.queueIsDown = true;
    await harness.deliver(harness.queued.splice(0));
    harness.queueIsDown = false;
    const job = await harness.read(client, jobId);
    expect(job.status).toBe("completed");
    harness.clock.advance(60_000);
    await harness.sweep();
    await harness.drain();
    expect(await missing(hashesOf(job))).toBe(0);
    expect(await harness.read(client, jobId)).toEqual(job);
    harness.clock.advance(60_000);
    await harness.sweep();
    expect(harness.queued).toEqual([]);
  });
});
