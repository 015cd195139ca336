import fc from "fast-check";
import { expect, it } from "vitest";
import { chunksBySize } from "../../src/lib/chunks.ts";

it("keeps every item, in order, in slices that are no larger than they may be", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 50 }), (items, size) => {
      const slices = [...chunksBySize(items, size, (item) => item)];
      expect(slices.flat()).toEqual(items);
      for (const slice of slices) {
        expect(slice.length).toBeGreaterThan(0);
        const sum = slice.reduce((total, item) => total + item, 0);
        expect(sum <= size || slice.length === 1).toBe(true);
      }
    }),
  );
});
