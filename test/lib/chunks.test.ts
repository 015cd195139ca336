import fc from "fast-check";
import { expect, it } from "vitest";
import { chunksBySize } from "../../src/lib/chunks.ts";

it("chunksBySize keeps every item in order, in chunks no larger than permitted", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 50 }), (items, size) => {
      const chunks = [...chunksBySize(items, size, (item) => item)];
      expect(chunks.flat()).toEqual(items);
      for (const chunk of chunks) {
        expect(chunk.length).toBeGreaterThan(0);
        const sum = chunk.reduce((total, item) => total + item, 0);
        expect(sum <= size || chunk.length === 1).toBe(true);
      }
    }),
  );
});
