import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { Folder } from "../../../src/contract/resources/codes/folders.ts";
import { Qr } from "../../../src/contract/resources/codes/qr.ts";
import { bulkJobs } from "../../../src/domain/bulk/kind.ts";
import type { BulkTask } from "../../../src/protocol/messages.ts";
import { BulkHarness, catalogueWith, unpublished } from "../../support/bulk.ts";
import { runs, sample } from "../../support/runner/runs.ts";
import { type Client, emittedEvents, Service } from "../../support/service.ts";
import { MortalIsolate } from "../../support/world/mortal-isolate.ts";

let harness: BulkHarness;
let client: Client;

beforeEach(async () => {
  // Jobs that an earlier test left would be swept by a later one.
  await env.DB.batch([env.DB.prepare("DELETE FROM bulk_items"), env.DB.prepare("DELETE FROM bulk_jobs")]);
  harness = new BulkHarness();
  client = await harness.service.workspace();
});

const [lease, retry] = [bulkJobs.leaseSeconds * 1000, bulkJobs.retryAfter() * 1000];

/** A change that shows whether it was made twice. */
const grow = { replace: { prefix: { from: "https://a.example/", to: "https://a.example/x/" } } };

const create = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, i) =>
      client.createQr({ data: { type: "url", url: `https://a.example/${i}` } }),
    ),
  );

/** Starts a bulk update of all codes, in slices that begin with these rows, and takes its message from the queue. */
async function start(change: object, slices = [0]): Promise<{ jobId: string; tasks: BulkTask[] }> {
  const response = await client.send("POST", "/qr/bulk-update", { filter: {}, change });
  const { jobId } = await harness.accepted(response);
  await env.DB.prepare("UPDATE bulk_jobs SET slices = ? WHERE id = ?")
    .bind(JSON.stringify(slices), jobId)
    .run();
  return { jobId, tasks: harness.queued.splice(0) };
}

const eventsOf = (kind: string, id: string) =>
  emittedEvents().filter((event) => event.kind === kind && event.data.id === id);

/** Checks that each code was changed once, with one event, and that its scans follow. */
async function expectGrown(jobId: string, qrs: readonly Qr[]): Promise<void> {
  const job = await harness.read(client, jobId);
  expect(job).toMatchObject({ status: "completed", successCount: qrs.length, failureCount: 0 });
  expect(job.items.every(({ changed }) => changed === true)).toBe(true);
  for (const { id, hash, data } of qrs) {
    const url = "url" in data ? data.url.replace("example/", "example/x/") : "";
    expect((await client.expect(200, Qr, "GET", `/qr/${id}`)).data).toEqual({ type: "url", url });
    expect((await new Service({ now: harness.clock.now }).scan(hash)).headers.get("location")).toBe(url);
    expect(eventsOf("qr.updated", id)).toHaveLength(1);
  }
  const completed = emittedEvents().filter(
    ({ kind, workspaceId }) => kind === "bulk.completed" && workspaceId === client.workspaceId,
  );
  expect(completed).toHaveLength(1);
  expect(await unpublished(client)).toEqual([]);
}

describe("a bulk update", () => {
  it.each(sample([...Array(34).keys()], 12))(
    "whose worker dies after %i calls changes each code once",
    async (calls) => {
      const qrs = await create(2);
      const { jobId, tasks } = await start(grow);
      await new MortalIsolate(harness.service.deps, calls).consume(
        "bulk",
        tasks.map((body) => ({ body })),
      );
      harness.clock.advance(lease);
      await harness.deliver(tasks);
      await harness.drain();
      await expectGrown(jobId, qrs);
    },
  );

  it("changes each code once when its message is delivered several times, even concurrently", async () => {
    const qrs = await create(4);
    const { jobId, tasks } = await start(grow);
    await Promise.all([0, 1, 2].map(() => harness.deliver(tasks, harness.isolate())));
    harness.clock.advance(lease);
    await harness.deliver(tasks);
    await harness.drain();
    await expectGrown(jobId, qrs);
  });

  it("does no harm from a slow worker whose lease another has taken", async () => {
    const qrs = await create(4);
    const { jobId, tasks } = await start(grow);
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    const { promise: waiting, resolve: wait } = Promise.withResolvers<void>();
    const slow = harness.isolate({
      db: catalogueWith(async (statements) => {
        wait();
        await resumed;
        return env.DB.batch(statements);
      }),
    });
    const first = harness.deliver(tasks, slow);
    await waiting;
    harness.clock.advance(lease);
    await harness.deliver(tasks);
    resume();
    await first;
    await harness.drain();
    await expectGrown(jobId, qrs);
  });

  it("changes a code by its newest state when another request changes it at the same time", async () => {
    const [qr] = await create(1);
    if (qr === undefined) throw new Error("no code");
    const { jobId, tasks } = await start(grow);
    let races = 0;
    const racing = harness.isolate({
      db: catalogueWith(async (statements) => {
        races += 1;
        if (races <= 2) {
          await client.send("PATCH", `/qr/${qr.id}`, {
            data: { type: "url", url: `https://a.example/r${races}` },
          });
        }
        return env.DB.batch(statements);
      }),
    });
    await harness.deliver(tasks, racing);
    await harness.drain();
    expect((await harness.read(client, jobId)).items).toMatchObject([{ status: "succeeded", changed: true }]);
    const { data } = await client.expect(200, Qr, "GET", `/qr/${qr.id}`);
    expect(data).toEqual({ type: "url", url: "https://a.example/x/r2" });
    expect(eventsOf("qr.updated", qr.id)).toHaveLength(3);
  });

  it("fails the items of a folder that is deleted before they are stored, and changes none of their codes", async () => {
    const [qr] = await create(1);
    const folder = await client.expect(201, Folder, "POST", "/folders", { name: "F" });
    const { jobId, tasks } = await start({ folderId: folder.id, status: "paused" });
    const racing = harness.isolate({
      db: catalogueWith(async (statements) => {
        await env.DB.prepare("DELETE FROM folders WHERE id = ?").bind(folder.id).run();
        return env.DB.batch(statements);
      }),
    });
    await harness.deliver(tasks, racing);
    await harness.drain();
    expect((await harness.read(client, jobId)).items).toMatchObject([
      { status: "failed", error: "folderId isn't a folder of this workspace." },
    ]);
    expect(await client.expect(200, Qr, "GET", `/qr/${qr?.id}`)).toEqual(qr);
    expect(eventsOf("qr.updated", qr?.id ?? "")).toEqual([]);
  });

  it("does not undo a change that is made between its change and its end", async () => {
    const [qr] = await create(1);
    if (qr === undefined) throw new Error("no code");
    const { tasks } = await start(grow);
    const { db, died } = dyingAfterChange();
    await Promise.race([harness.deliver(tasks, harness.isolate({ db })), died]);
    await client.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url: "https://a.example/later" } });
    harness.clock.advance(lease);
    await harness.deliver(tasks);
    await harness.drain();
    const { data } = await client.expect(200, Qr, "GET", `/qr/${qr.id}`);
    expect(data).toEqual({ type: "url", url: "https://a.example/later" });
  });

  it("of a deletion that was interrupted succeeds when it is repeated", async () => {
    const [qr] = await create(1);
    const { jobId, tasks } = await start({ delete: true });
    const { db, died } = dyingAfterChange();
    await Promise.race([harness.deliver(tasks, harness.isolate({ db })), died]);
    harness.clock.advance(lease);
    await harness.deliver(tasks);
    await harness.drain();
    expect((await harness.read(client, jobId)).items).toMatchObject([
      { qrId: qr?.id, status: "succeeded", changed: true },
    ]);
    expect(eventsOf("qr.deleted", qr?.id ?? "")).toHaveLength(1);
    expect((await new Service().scan(qr?.hash ?? "")).status).toBe(404);
  });

  it("that always fails ends as failed; what it changed is reported as such", async () => {
    await create(3);
    const { jobId, tasks } = await start(grow, [0, 2]);
    // The first slice is changed, but never settled.
    let batches = 0;
    const failing = harness.isolate({
      db: catalogueWith(async (statements) => {
        batches += 1;
        if (batches > 1) throw new Error("the catalogue refuses to settle items");
        return env.DB.batch(statements);
      }),
    });
    const fail = async () => {
      await harness.deliver(tasks, failing);
      harness.clock.advance(retry);
    };
    await fail();
    // The attempts between, which are all alike, are counted without being made.
    const made = runs(3, bulkJobs.maxAttempts);
    await env.DB.prepare("UPDATE bulk_jobs SET attempts = ? WHERE id = ?")
      .bind(bulkJobs.maxAttempts - made + 1, jobId)
      .run();
    for (let attempt = 1; attempt < made; attempt += 1) await fail();
    expect((await harness.read(client, jobId)).status).toBe("queued");
    await harness.deliver(tasks);
    await harness.drain();
    const { items, ...job } = await harness.read(client, jobId);
    expect(job).toMatchObject({ status: "failed", successCount: 2, failureCount: 1 });
    expect(job.error).toMatch(/Codes that were not changed have failed/);
    expect(items.filter(({ changed }) => changed === true)).toHaveLength(2);
    expect(items.at(-1)).toMatchObject({
      status: "failed",
      changed: null,
      error: expect.stringMatching(/^The code couldn't be changed/),
    });
    const updated = emittedEvents().filter(
      ({ kind, workspaceId }) => kind === "qr.updated" && workspaceId === client.workspaceId,
    );
    expect(updated).toHaveLength(2);
  });

  it("of one workspace lets the jobs of others run between its slices", async () => {
    await create(5);
    const { jobId, tasks } = await start({ addTags: ["a"] }, [0, 2, 4]);
    await harness.deliver(tasks);
    const { status, successCount } = await harness.read(client, jobId);
    expect(status).toBe("processing");
    expect(successCount).toBe(2);
    expect(harness.queued.filter(({ task }) => task === "run")).toHaveLength(1);
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: 5 });
  });

  it("publishes a slice in one call of each feed", async () => {
    const qrs = await create(5);
    const { tasks } = await start(grow);
    const calls = new Map<string, number[]>();
    const { deps } = harness.service;
    const counting = harness.isolate({
      feed: (region) => ({
        changes: (seq) => deps.feed(region).changes(seq),
        publish: (changes) => {
          calls.set(region, [...(calls.get(region) ?? []), changes.length]);
          return deps.feed(region).publish(changes);
        },
      }),
    });
    await harness.deliver(tasks, counting);
    expect([...calls.values()]).toEqual(Array.from({ length: 9 }, () => [qrs.length]));
  });
});

/** A catalogue that hangs when items are to be settled, as if the isolate that uses it had been killed. */
function dyingAfterChange(): { db: D1Database; died: Promise<void> } {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  let batches = 0;
  const db = catalogueWith(async (statements) => {
    batches += 1;
    if (batches === 1) return env.DB.batch(statements);
    die();
    return new Promise(() => {});
  });
  return { db, died };
}
