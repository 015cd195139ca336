import fc from "fast-check";
import { expect, it } from "vitest";
import { Counts, visitPacked } from "../../src/lib/packed/counts.ts";

const max = Number.MAX_SAFE_INTEGER;

/** Small references most often, as the ledger gives them. */
const refs = fc.oneof(fc.nat(40), fc.nat(100_000), fc.maxSafeNat());
const amounts = fc.oneof(fc.nat(200), fc.nat(2 ** 31), fc.integer({ min: 0, max: 2 ** 45 }));
const entriesOf = (width: number) =>
  fc.array(fc.tuple(refs, fc.array(amounts, { minLength: width, maxLength: width })), { maxLength: 60 });
const rows = fc.integer({ min: 1, max: 4 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    one: entriesOf(width),
    two: entriesOf(width),
    three: entriesOf(width),
  }),
);
type Entries = readonly (readonly [number, readonly number[]])[];

function countsOf(width: number, entries: Entries): Counts {
  const counts = new Counts(width);
  for (const [ref, added] of entries) counts.add(ref, ...added);
  return counts;
}

function mapOf(entries: Entries): [number, number[]][] {
  const map = new Map<number, number[]>();
  for (const [ref, added] of entries) {
    const sums = map.get(ref) ?? added.map(() => 0);
    map.set(
      ref,
      sums.map((sum, i) => sum + (added[i] ?? 0)),
    );
  }
  return [...map].sort(([one], [other]) => one - other);
}

function merged(width: number, ...packed: readonly Uint8Array[]): Uint8Array {
  const counts = new Counts(width);
  for (const bytes of packed) counts.addPacked(bytes);
  return counts.pack();
}

it("counts are those of a map, before and after packing", () => {
  fc.assert(
    fc.property(rows, ({ width, one, two, three }) => {
      const entries = [...one, ...two, ...three];
      const counts = countsOf(width, one);
      counts.addPacked(countsOf(width, two).pack());
      for (const [ref, added] of three) counts.add(ref, ...added);
      const expected = mapOf(entries);
      expect([...counts]).toEqual(expected);
      expect(counts.size).toBe(expected.length);
      for (let i = 0; i < width; i += 1) {
        expect(counts.total(i)).toBe(entries.reduce((sum, [, added]) => sum + (added[i] ?? 0), 0));
      }
      const unpacked = new Counts(width);
      unpacked.addPacked(counts.pack());
      expect([...unpacked]).toEqual(expected);
      expect(unpacked.pack()).toEqual(counts.pack());
    }),
  );
});

it("counts are merged in any order and grouping to the same bytes", () => {
  fc.assert(
    fc.property(rows, ({ width, one, two, three }) => {
      const [a, b, c] = [one, two, three].map((entries) => countsOf(width, entries).pack()) as [
        Uint8Array,
        Uint8Array,
        Uint8Array,
      ];
      const all = merged(width, a, b, c);
      expect(merged(width, merged(width, a, b), c)).toEqual(all);
      expect(merged(width, a, merged(width, b, c))).toEqual(all);
      expect(merged(width, c, a, b)).toEqual(all);
      expect(all).toEqual(countsOf(width, [...one, ...two, ...three]).pack());
    }),
  );
});

it("the bytes of the packed form are stable", () => {
  expect([...new Counts(2).pack()]).toEqual([0]);
  const counts = countsOf(2, [
    [300, [1, 0]],
    [0, [2, 128]],
    [1, [127, 3]],
  ]);
  expect([...counts.pack()]).toEqual([3, 0, 2, 0x80, 1, 0, 127, 3, 0xaa, 2, 1, 0]);
});

it("many references are kept apart", () => {
  const counts = new Counts(1);
  const size = 20_000;
  for (const step of [1, 4096, 2 ** 32, 2 ** 38 + 1]) {
    const strided = new Counts(1);
    for (let i = 0; i < size; i += 1) strided.add(i * step, i + 1);
    expect(strided.size).toBe(size);
    expect(strided.total(0)).toBe((size * (size + 1)) / 2);
    counts.addPacked(strided.pack());
  }
  expect(counts.total(0)).toBe(2 * size * (size + 1));
});

it("amounts reach 2^53 - 1 and no more", () => {
  const counts = countsOf(2, [[max, [max, 1]]]);
  expect([...counts]).toEqual([[max, [max, 1]]]);
  expect(merged(2, counts.pack())).toEqual(counts.pack());
  expect(() => counts.add(max, 1, 0)).toThrow(RangeError);
  expect(() => merged(2, counts.pack(), counts.pack())).toThrow(RangeError);
});

it.each([
  [-1, [1, 1]],
  [0.5, [1, 1]],
  [max + 1, [1, 1]],
  [Number.NaN, [1, 1]],
  [1, [1]],
  [1, [1, 1, 1]],
  [1, [1, -1]],
  [1, [0.5, 1]],
  [1, [1, Infinity]],
])("the reference %d with the amounts %j is refused", (ref, added) => {
  const counts = new Counts(2);
  expect(() => counts.add(ref, ...added)).toThrow(RangeError);
  expect(counts.size).toBe(0);
});

it("packed counts are visited as they are iterated", () => {
  fc.assert(
    fc.property(rows, ({ width, one }) => {
      const counts = countsOf(width, one);
      const visited: [number, number[]][] = [];
      visitPacked(counts.pack(), width, (ref, added) => visited.push([ref, [...added]]));
      expect(visited).toEqual([...counts]);
    }),
  );
  const packed = countsOf(1, [[1, [1]]]).pack();
  expect(() => visitPacked(Uint8Array.of(...packed, 0), 1, () => {})).toThrow(RangeError);
});

it("packed counts that were cut or continued are malformed", () => {
  fc.assert(
    fc.property(rows, fc.nat(), ({ width, one }, cut) => {
      const packed = countsOf(width, one).pack();
      expect(() => merged(width, packed.subarray(0, cut % packed.length))).toThrow(RangeError);
      expect(() => merged(width, new Uint8Array([...packed, 0]))).toThrow(RangeError);
    }),
  );
});

it.each([
  ["no bytes", []],
  ["a number in a longer form", [1, 0x80, 0, 1]],
  ["a number above 2^53 - 1", [1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, 1]],
  ["a number without end", [1, ...Array.from({ length: 20 }, () => 0xff)]],
  ["a reference above 2^53 - 1", [2, ...[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f], 1, 0, 1]],
])("%s: malformed", (_, bytes) => {
  expect(() => merged(1, Uint8Array.from(bytes))).toThrow(RangeError);
});

it("arbitrary bytes are malformed, or packed counts in their one form", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      let packed: Uint8Array;
      try {
        packed = merged(1, bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return;
      }
      expect(packed).toEqual(bytes);
    }),
    { numRuns: 1000 },
  );
});

it("counts that are subtracted leave those that were added besides them", () => {
  fc.assert(
    fc.property(rows, ({ width, one, two }) => {
      const counts = countsOf(width, [...one, ...two]);
      counts.subtract(countsOf(width, two));
      const left = mapOf(one).filter(([, sums]) => sums.some((sum) => sum > 0));
      expect([...counts]).toEqual(left);
      for (const [ref] of left) counts.add(ref, ...new Array<number>(width).fill(1));
      expect([...counts]).toEqual(left.map(([ref, sums]) => [ref, sums.map((sum) => sum + 1)]));
      counts.subtract(counts);
      expect([...counts]).toEqual([]);
    }),
  );
});

it("counts that were not added can't be subtracted", () => {
  const counts = countsOf(1, [[3, [5]]]);
  expect(() => counts.subtract(countsOf(1, [[3, [6]]]))).toThrow(RangeError);
  expect(() => counts.subtract(countsOf(1, [[4, [1]]]))).toThrow(RangeError);
  expect([...counts]).toEqual([[3, [5]]]);
});

it("lists the references with the highest amounts in pages, of equal ones the lowest first", () => {
  const highest = fc.record({ entries: entriesOf(2), limit: fc.integer({ min: 1, max: 70 }) });
  fc.assert(
    fc.property(highest, ({ entries, limit }) => {
      const expected = mapOf(entries)
        .map(([ref, [sum = 0]]) => [ref, sum] as const)
        .toSorted(([oneRef, one], [otherRef, other]) => other - one || oneRef - otherRef);
      const counts = countsOf(2, entries);
      expect(counts.highest(limit)).toEqual(expected.slice(0, limit));
      const pages = expected.flatMap((_, i) =>
        i % limit === 0 ? counts.highest(limit, i === 0 ? undefined : expected[i - 1]) : [],
      );
      expect(pages).toEqual(expected);
    }),
  );
});
