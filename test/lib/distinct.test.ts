import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Distinct, sketchError } from "../../src/lib/packed/distinct.ts";
import { runs } from "../support/runner/runs.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";

const value = fc.uint8Array({ minLength: 8, maxLength: 8 });
/** Values that differ in few bits, as random ones hardly ever do. */
const closeValue = fc
  .array(fc.constantFrom(0, 1, 128, 255), { minLength: 8, maxLength: 8 })
  .map((bytes) => Uint8Array.from(bytes));
const values = fc.array(fc.oneof(value, closeValue), { maxLength: 60 });

const hexOf = (bytes: Uint8Array) => bytes.toHex();

function setOf(added: Iterable<Uint8Array>, exactLimit?: number): Distinct {
  const distinct = new Distinct(exactLimit === undefined ? {} : { exactLimit });
  for (const each of added) distinct.add(each);
  return distinct;
}

function union(exactLimit: number, ...packed: readonly Uint8Array[]): Distinct {
  const distinct = new Distinct({ exactLimit });
  for (const bytes of packed) distinct.addPacked(bytes);
  return distinct;
}

function* randomValues(seed: number, count: number): Generator<Uint8Array> {
  const random = new SeededRandom(seed);
  for (let i = 0; i < count; i += 1) {
    yield new Uint8Array(Uint32Array.of(random.below(2 ** 32), random.below(2 ** 32)).buffer);
  }
}

describe("an exact set", () => {
  it("counts as a set does, before and after packing", () => {
    fc.assert(
      fc.property(values, values, (one, two) => {
        const distinct = setOf([...one, ...two, ...one]);
        const expected = { count: new Set([...one, ...two].map(hexOf)).size, exact: true };
        expect(distinct.count()).toEqual(expected);
        const packed = distinct.pack();
        expect(packed).toHaveLength(1 + 8 * expected.count);
        expect(union(2000, packed).pack()).toEqual(packed);
        const joined = union(2000, setOf(one).pack(), setOf(two).pack());
        expect(joined.count()).toEqual(expected);
        expect(joined.pack()).toEqual(packed);
        expect(setOf([...two].reverse().concat(one)).pack()).toEqual(packed);
      }),
    );
  });

  it("stays exact up to its limit, and becomes a sketch above", () => {
    const all = [...randomValues(1, 2001)];
    const distinct = setOf(all.slice(0, 2000));
    distinct.add(all[0] ?? new Uint8Array());
    expect(distinct.count()).toEqual({ count: 2000, exact: true });
    distinct.add(all[2000] ?? new Uint8Array());
    expect(distinct.count().exact).toBe(false);
    expect(distinct.pack()).toHaveLength(3073);
  });

  it("holds more in a union with a higher limit", () => {
    const all = [...randomValues(2, 50_000)];
    const parts = Array.from({ length: 25 }, (_, i) => setOf(all.slice(i * 2000, i * 2000 + 2000)).pack());
    expect(union(50_000, ...parts, ...parts).count()).toEqual({ count: 50_000, exact: true });
    expect(union(49_999, ...parts).count().exact).toBe(false);
  });

  it("keeps the stable form of its bytes", () => {
    expect([...setOf([]).pack()]).toEqual([1]);
    const [one, two] = [Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 2), Uint8Array.of(9, 0, 0, 0, 0, 0, 0, 1)];
    expect([...setOf([one, two]).pack()]).toEqual([1, ...two, ...one]);
  });
});

describe("a sketch", () => {
  it.each([0, 1, 10, 100, 1000, 5000, 10_000, 20_000, 100_000, runs(200_000, 1_000_000)])(
    "estimates %d values within four standard errors",
    (count) => {
      for (let seed = 0; seed < runs(count > 10_000 ? 1 : 3, 30); seed += 1) {
        const distinct = setOf(randomValues(count + seed, count), 0);
        // An empty set is exact at any limit; a union with a sketch is not.
        distinct.addPacked(setOf(randomValues(count + seed, 1), 0).pack());
        const estimate = distinct.count();
        expect(estimate.exact).toBe(false);
        const expected = Math.max(count, 1);
        // Two values in one register, which is rare among few, count as one.
        const tolerance = Math.max(1, 4 * sketchError * expected);
        expect(Math.abs(estimate.count - expected)).toBeLessThanOrEqual(tolerance);
      }
    },
  );

  it("is unbiased, with the stated error", () => {
    const size = 12_000;
    const errors = Array.from({ length: runs(30, 400) }, (_, seed) => {
      const { count } = setOf(randomValues(7_000_000 + seed * 977, size)).count();
      return count / size - 1;
    });
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
    expect(Math.abs(mean)).toBeLessThan((4 * sketchError) / Math.sqrt(errors.length));
    expect(deviation).toBeLessThan(1.4 * sketchError);
    expect(deviation).toBeGreaterThan(0.6 * sketchError);
  });

  it("ranks values by the leading zeros of what does not choose the register", () => {
    const registerOf = (low: number, high: number) => {
      const bytes = setOf([new Uint8Array(Uint32Array.of(low, high).buffer)], 0).pack();
      const registers = [...bytes.subarray(1)].flatMap((byte) => [...byte.toString(2).padStart(8, "0")]);
      const ranks = Array.from({ length: 4096 }, (_, i) =>
        Number.parseInt(registers.slice(i * 6, i * 6 + 6).join(""), 2),
      );
      const register = ranks.findIndex((rank) => rank > 0);
      return [register, ranks[register]];
    };
    expect(registerOf(0xfff, 0xffffffff)).toEqual([4095, 1]);
    expect(registerOf(0, 0x7fffffff)).toEqual([0, 2]);
    expect(registerOf(5, 1)).toEqual([5, 32]);
    expect(registerOf(6, 0x80000000)).toEqual([6, 1]);
    expect(registerOf(0xfffff007, 0)).toEqual([7, 33]);
    expect(registerOf(0x1007, 0)).toEqual([7, 52]);
    expect(registerOf(0xabc, 0)).toEqual([0xabc, 53]);
  });
});

it("a union is the same in any order and grouping", () => {
  const pools = [...randomValues(3, 400)];
  const subset = fc.uniqueArray(fc.nat(399), { maxLength: 80 });
  fc.assert(
    fc.property(
      fc.array(subset, { minLength: 2, maxLength: 6 }),
      fc.nat(120),
      fc.nat(60),
      (sets, limit, part) => {
        const parts = sets.map((indexes) =>
          setOf(
            indexes.map((i) => pools[i] ?? new Uint8Array()),
            part,
          ).pack(),
        );
        const all = union(limit, ...parts);
        const [first, ...rest] = parts as [Uint8Array, ...Uint8Array[]];
        expect(union(limit, ...parts.toReversed()).pack()).toEqual(all.pack());
        expect(union(limit, ...rest, first).pack()).toEqual(all.pack());
        expect(union(limit, first, union(limit, ...rest).pack()).pack()).toEqual(all.pack());
        expect(union(limit, all.pack(), all.pack()).pack()).toEqual(all.pack());
        const distinctCount = new Set(sets.flat()).size;
        const exact = distinctCount <= limit && sets.every((indexes) => indexes.length <= part);
        expect(all.count().exact).toBe(exact);
        if (exact) expect(all.count().count).toBe(distinctCount);
      },
    ),
  );
});

const sketch = setOf(randomValues(4, 3000)).pack();
const two = setOf(randomValues(5, 2)).pack();

it.each([
  ["no bytes", new Uint8Array()],
  ["an unknown kind", Uint8Array.of(3)],
  ["a cut value", two.subarray(0, 16)],
  ["values in descending order", Uint8Array.of(1, ...two.subarray(9), ...two.subarray(1, 9))],
  ["a value twice", Uint8Array.of(1, ...two.subarray(1, 9), ...two.subarray(1, 9))],
  ["a cut sketch", sketch.subarray(0, 3072)],
  ["a sketch with a byte more", Uint8Array.of(...sketch, 0)],
  ["a rank that no value has", Uint8Array.of(...sketch.subarray(0, 3072), 63)],
])("%s: malformed, and nothing is added", (_, bytes) => {
  const distinct = new Distinct();
  expect(() => distinct.addPacked(bytes)).toThrow(RangeError);
  expect(distinct.count()).toEqual({ count: 0, exact: true });
});

it.each([0, 7, 9, 16])("a value of %d bytes is refused", (size) => {
  expect(() => new Distinct().add(new Uint8Array(size))).toThrow(RangeError);
});
