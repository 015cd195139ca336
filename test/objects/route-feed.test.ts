import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { routing } from "../../src/protocol/routing.ts";

const feed = (name: string) => env.FEEDS.get(env.FEEDS.idFromName(name));
const start = Date.UTC(2026, 0, 1);

it("tells each reader what changed since it last asked", async () => {
  const stub = feed("since");
  await stub.publish("a", 2, start);
  await stub.publish("b", 5, start);
  const first = await stub.changes(0);
  expect(first).toMatchObject({
    changes: [
      ["a", 2],
      ["b", 5],
    ],
    more: false,
  });
  await stub.publish("a", 3, start + 1);
  const second = await stub.changes(first.seq);
  expect(second.changes).toEqual([["a", 3]]);
  expect(await stub.changes(second.seq)).toEqual({ seq: second.seq, changes: [], more: false });
});

it("keeps the highest version, and tells it again when it is published again", async () => {
  const stub = feed("highest");
  await stub.publish("a", 3, start);
  await stub.publish("a", 2, start);
  const { seq, changes } = await stub.changes(0);
  expect(changes).toEqual([["a", 3]]);
  await stub.publish("a", 3, start);
  expect((await stub.changes(seq)).changes).toEqual([["a", 3]]);
});

it("survives eviction", async () => {
  const stub = feed("evicted");
  await stub.publish("a", 2, start);
  const { seq } = await stub.changes(0);
  await evictDurableObject(stub);
  expect((await stub.changes(0)).changes).toEqual([["a", 2]]);
  await stub.publish("b", 2, start);
  expect((await stub.changes(seq)).changes).toEqual([["b", 2]]);
});

it("forgets what every cache has long caught up with", async () => {
  const stub = feed("pruned");
  await stub.publish("old", 2, start);
  await stub.publish("new", 2, start + routing.feedMilliseconds);
  expect((await stub.changes(0)).changes).toEqual([
    ["old", 2],
    ["new", 2],
  ]);
  await stub.publish("newer", 2, start + routing.feedMilliseconds + 1);
  expect((await stub.changes(0)).changes).toEqual([
    ["new", 2],
    ["newer", 2],
  ]);
});

it("answers in pages when there is much", async () => {
  const stub = feed("pages");
  const total = routing.feedPage + 10;
  await runInDurableObject(stub, (instance) => {
    for (let i = 0; i < total; i += 1) instance.publish(`h${i}`, 1, start);
  });
  const first = await stub.changes(0);
  expect([first.changes.length, first.more]).toEqual([routing.feedPage, true]);
  const second = await stub.changes(first.seq);
  expect([second.changes.length, second.more]).toEqual([10, false]);
});
