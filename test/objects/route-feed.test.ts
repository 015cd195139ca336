import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { feedPageSize, feedRetentionMilliseconds } from "../../src/protocol/route-feed.ts";

const feed = (name: string) => env.FEEDS.get(env.FEEDS.idFromName(name));

afterEach(() => {
  vi.useRealTimers();
});

it("returns to each reader the changes since its last read", async () => {
  const stub = feed("since");
  await stub.publish([{ key: "a", version: 2 }]);
  await stub.publish([{ key: "b", version: 5 }]);
  const first = await stub.changes(0);
  expect(first).toMatchObject({
    changes: [
      { key: "a", version: 2 },
      { key: "b", version: 5 },
    ],
    more: false,
  });
  await stub.publish([{ key: "a", version: 3 }]);
  const second = await stub.changes(first.seq);
  expect(second.changes).toEqual([{ key: "a", version: 3 }]);
  expect(await stub.changes(second.seq)).toMatchObject({ seq: second.seq, changes: [], more: false });
});

it("keeps the highest version, and lists it again when it is published again", async () => {
  const stub = feed("highest");
  await stub.publish([{ key: "a", version: 3 }]);
  await stub.publish([{ key: "a", version: 2 }]);
  const { seq, changes } = await stub.changes(0);
  expect(changes).toEqual([{ key: "a", version: 3 }]);
  await stub.publish([{ key: "a", version: 3 }]);
  expect((await stub.changes(seq)).changes).toEqual([{ key: "a", version: 3 }]);
});

it("survives eviction", async () => {
  const stub = feed("evicted");
  await stub.publish([{ key: "a", version: 2 }]);
  const { seq } = await stub.changes(0);
  await evictDurableObject(stub);
  expect((await stub.changes(0)).changes).toEqual([{ key: "a", version: 2 }]);
  await stub.publish([{ key: "b", version: 2 }]);
  expect((await stub.changes(seq)).changes).toEqual([{ key: "b", version: 2 }]);
});

it("drops changes that are older than any cache, by its own clock", async () => {
  const stub = feed("pruned");
  const start = Date.UTC(2026, 0, 1);
  vi.useFakeTimers({ toFake: ["Date"], now: start });
  await stub.publish([{ key: "old", version: 2 }]);
  vi.setSystemTime(start + feedRetentionMilliseconds);
  await stub.publish([{ key: "new", version: 2 }]);
  expect((await stub.changes(0)).changes).toEqual([
    { key: "old", version: 2 },
    { key: "new", version: 2 },
  ]);
  vi.setSystemTime(start + feedRetentionMilliseconds + 1);
  await stub.publish([{ key: "newer", version: 2 }]);
  expect((await stub.changes(0)).changes).toEqual([
    { key: "new", version: 2 },
    { key: "newer", version: 2 },
  ]);
});

it("returns many changes in pages", async () => {
  const stub = feed("pages");
  const total = feedPageSize + 10;
  await runInDurableObject(stub, (instance) => {
    for (let i = 0; i < total; i += 1) instance.publish([{ key: `h${i}`, version: 1 }]);
  });
  const first = await stub.changes(0);
  expect([first.changes.length, first.more]).toEqual([feedPageSize, true]);
  const second = await stub.changes(first.seq);
  expect([second.changes.length, second.more]).toEqual([10, false]);
});
