import { expect, it } from "vitest";
import { BoundedMap } from "../../src/lib/bounded-map.ts";

const keys = Array.from({ length: 100 }, (_, i) => `key${i}`);
const keptIn = (map: BoundedMap<string, unknown>) => keys.filter((key) => map.get(key) !== undefined);

it("keeps the newest entries, of which one set again is one", () => {
  const map = new BoundedMap<string, unknown>(3);
  for (const key of ["key0", "key1", "key2", "key0", "key3"]) map.set(key, key);
  expect(keptIn(map)).toEqual(["key0", "key2", "key3"]);
});

it.each([
  ["long keys", (key: string) => [key.padEnd(1000), true]],
  ["long texts", (key: string) => [key, "x".repeat(1000)]],
  ["texts deep in values", (key: string) => [key, { list: [{ text: "x".repeat(1000) }] }]],
  ["bytes", (key: string) => [key, { image: new Uint8Array(2000) }]],
] as const)("drops the oldest entries of %s beyond its bytes", (_, entryOf) => {
  const map = new BoundedMap<string, unknown>(1000, 25_000);
  for (const key of keys) map.set(...(entryOf(key) as [string, unknown]));
  const kept = keys.filter((key) => map.get(String(entryOf(key)[0])) !== undefined);
  expect(kept).toEqual(keys.slice(-kept.length));
  expect(kept.length).toBeGreaterThan(9);
  expect(kept.length).toBeLessThan(13);
});

it("counts an entry that is set again once, and never keeps one that is larger than all", () => {
  const map = new BoundedMap<string, unknown>(100, 25_000);
  for (let i = 0; i < 100; i += 1) map.set("key0", "x".repeat(5000));
  map.set("key1", "x".repeat(5000));
  map.set("key2", "x".repeat(25_000));
  expect(keptIn(map)).toEqual(["key0", "key1"]);
});
