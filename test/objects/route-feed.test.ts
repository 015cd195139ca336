import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { feedPageSize, feedRetentionMilliseconds } from "../../src/protocol/route-feed.ts";
import { type FeedRelease, feedReleases, releasedFeed } from "../support/world/released-feed.ts";

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

it("lists a key once in a page, with its highest version", async () => {
  const stub = feed("folded");
  for (const version of [2, 4, 3]) await stub.publish([{ key: "a", version }]);
  await stub.publish([
    { key: "b", version: 7 },
    { key: "b", version: 6 },
  ]);
  expect(await stub.changes(0)).toMatchObject({
    seq: 5,
    changes: [
      { key: "a", version: 4 },
      { key: "b", version: 7 },
    ],
  });
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

/**
 * An isolate that has read up to a number sees nothing of changes with lower ones. So no feed may begin to number anew, as
 * a table without rows does.
 */
describe.each(feedReleases)("the code of the %s release", (release: FeedRelease) => {
  it("numbers changes on from the newest one, however long nothing has changed", async () => {
    const stub = feed(`numbers of ${release}`);
    const code = releasedFeed(stub, release);
    const start = Date.UTC(2026, 0, 1);
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    for (const version of [2, 3]) await stub.publish([{ key: "a", version }]);
    const { seq } = await stub.changes(0);
    // 1.1.0 drops what is old also when it adds nothing: for no change, and for an older version than it lists.
    for (const [minutes, changes] of [
      [11, []],
      [22, [{ key: "a", version: 2 }]],
      [33, []],
      [44, [{ key: "b", version: 2 }]],
    ] as const) {
      vi.setSystemTime(start + minutes * 60_000);
      await code.publish(changes);
    }
    expect((await code.changes(seq)).changes).toContainEqual({ key: "b", version: 2 });
  });

  it("goes on with what the other one has published", async () => {
    const stub = feed(`turns of ${release}`);
    const code = releasedFeed(stub, release);
    for (const version of [2, 3]) await stub.publish([{ key: "a", version }]);
    const { seq } = await stub.changes(0);
    await code.publish([
      { key: "a", version: 4 },
      { key: "b", version: 1 },
    ]);
    for (const reader of [code, stub]) {
      const { changes } = await reader.changes(seq);
      expect(new Map(changes.map(({ key, version }) => [key, version]))).toEqual(
        new Map([
          ["a", 4],
          ["b", 1],
        ]),
      );
    }
  });
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
