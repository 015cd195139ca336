import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { type HistoryEntry, HistoryList } from "../../src/contract/resources/history/history.ts";
import { BulkHarness, catalogueWith, goodItems } from "../support/bulk.ts";
import { runs } from "../support/runner/runs.ts";
import type { Client, Service, SessionClient } from "../support/service.ts";

const harness = new BulkHarness();
let client: Client;
let session: SessionClient;

beforeEach(async () => {
  session = await harness.service.session();
  client = await harness.service.client(session.workspaceId);
});

/** All entries of the workspace that a filter finds, newest first. */
async function entries(query: string): Promise<HistoryEntry[]> {
  const all: HistoryEntry[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: HistoryList = await session.expect(
      200,
      HistoryList,
      "GET",
      `/developer/history?limit=200&${query}${after}`,
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

it("a job that creates codes has an entry, and each code one", async () => {
  const items = [...goodItems(5), { qrType: "url", data: { type: "url", url: "not an address" } }];
  const job = await harness.run(client, await harness.json(client, items));
  expect(job).toMatchObject({ successCount: 5, failureCount: 1 });
  const actor = { kind: "key", id: client.keyId, name: "test" };
  expect(await entries("kind=job")).toMatchObject([
    {
      action: "job.created",
      actor,
      object: { kind: "job", id: job.jobId },
      changes: { kind: { before: null, after: "create" }, codes: { before: null, after: 6 } },
    },
  ]);
  const codes = await entries(`jobId=${job.jobId}`);
  expect(codes).toHaveLength(5);
  expect(codes.map(({ object }) => object.name).toReversed()).toEqual(goodItems(5).map(({ name }) => name));
  for (const { action, actor: by, changes, via } of codes) {
    expect({ action, by, via }).toEqual({ action: "code.created", by: actor, via: "api" });
    expect(changes.data?.after).toMatchObject({ type: "url" });
  }
});

/** The most codes that a job of JSON may create. */
const portion = 1000;

it(
  "a bulk update while scans run gives exactly one entry a code",
  async () => {
    const count = runs(10, 5000);
    for (let made = 0; made < count; made += portion) {
      const items = goodItems(Math.min(portion, count - made));
      await harness.run(client, await harness.json(client, items));
    }
    const created = await entries("kind=code");
    expect(created).toHaveLength(count);
    // Entries of one millisecond have no order among them once they are many.
    harness.clock.advance(1000);
    const hashes = created.map(({ changes }) => String(changes.hash?.after));
    const scanned = hashes.filter((_, i) => i % 10 === 0);
    const scanning = (async () => {
      for (const hash of scanned) await harness.service.scan(hash);
    })();
    const change = { addTags: ["sale"], status: "paused" };
    const job = await harness.run(client, await harness.update(client, { filter: {}, change }));
    await scanning;
    expect(job.successCount).toBe(count);
    const changed = await entries(`jobId=${job.jobId}`);
    expect(new Set(changed.map(({ object }) => object.id)).size).toBe(count);
    expect(changed).toHaveLength(count);
    for (const { action, changes } of changed) {
      expect({ action, changes }).toEqual({
        action: "code.updated",
        changes: {
          tags: { before: [], after: ["sale"] },
          status: { before: "active", after: "paused" },
        },
      });
    }
    // Everything is told once, in the ledger as well as on its way.
    await harness.sweep();
    expect(await entries("kind=code")).toEqual([...changed, ...created]);
  },
  runs(30_000, 300_000),
);

it("a slice that is repeated records nothing twice", async () => {
  await harness.run(client, await harness.json(client, goodItems(5)));
  const { jobId } = await harness.accepted(
    await harness.update(client, { filter: {}, change: { status: "paused" } }),
  );
  const tasks = harness.queued.splice(0);
  await harness.deliver([...tasks, ...tasks, ...tasks]);
  await harness.drain();
  expect(await entries(`jobId=${jobId}`)).toHaveLength(5);
});

describe.each(["create", "update"] as const)("a job that is to %s codes", (kind) => {
  /** Starts the job in a new workspace with codes. */
  async function start(): Promise<string> {
    session = await harness.service.session();
    client = await harness.service.client(session.workspaceId);
    if (kind === "create") return (await harness.accepted(await harness.json(client, goodItems(3)))).jobId;
    await harness.run(client, await harness.json(client, goodItems(3)));
    const update = { filter: {}, change: { status: "paused" } };
    return (await harness.accepted(await harness.update(client, update))).jobId;
  }

  /** An isolate that doesn't learn the outcome of its batch with this number, although that is stored. */
  function deafIsolate(deafTo: number): { service: Service; batches: () => number } {
    let count = 0;
    const db = catalogueWith(async (statements) => {
      const results = await env.DB.batch(statements);
      count += 1;
      if (count === deafTo) throw new Error("Network connection lost.");
      return results;
    });
    return { service: harness.isolate({ db }), batches: () => count };
  }

  it("records each code once, whichever answer of the database a worker lost before its slice is retried", async () => {
    for (let deafTo = 1, batches = deafTo; deafTo <= batches; deafTo += 1) {
      const jobId = await start();
      const deaf = deafIsolate(deafTo);
      await harness.deliver(harness.queued.splice(0), deaf.service);
      batches = deaf.batches();
      harness.clock.advance(60_000);
      await harness.sweep();
      await harness.drain();
      harness.clock.advance(60_000);
      await harness.sweep();
      await harness.drain();
      expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: 3 });
      const told = await entries(`jobId=${jobId}`);
      expect([deafTo, told.length]).toEqual([deafTo, 3]);
      expect(new Set(told.map(({ object }) => object.id)).size).toBe(3);
    }
  });

  /** An isolate that dies after its first batch. */
  function mortalIsolate(): Service {
    let isAlive = true;
    const db = catalogueWith(async (statements) => {
      if (!isAlive) throw new Error("Network connection lost.");
      isAlive = false;
      return env.DB.batch(statements);
    });
    return harness.isolate({ db });
  }

  it.each([
    ["is done with", () => harness.service],
    ["changes, and then dies,", mortalIsolate],
  ])("records each code once, though another worker %s the slice at the same time", async (_, isolate) => {
    const jobId = await start();
    const tasks = harness.queued.splice(0);
    let other: Promise<unknown> | undefined;
    const db = catalogueWith(async (statements) => {
      // The lease has expired, so the other worker takes the job, too.
      if (other === undefined) {
        harness.clock.advance(30_000);
        other = harness.deliver(tasks, isolate());
        await other;
      }
      return env.DB.batch(statements);
    });
    await harness.deliver(tasks, harness.isolate({ db }));
    expect(other).toBeDefined();
    await harness.drain();
    harness.clock.advance(60_000);
    await harness.sweep();
    await harness.drain();
    expect(await harness.read(client, jobId)).toMatchObject({ status: "completed", successCount: 3 });
    expect(await entries(`jobId=${jobId}`)).toHaveLength(3);
  });
});
