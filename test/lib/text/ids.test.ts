import fc from "fast-check";
import { expect, it } from "vitest";
import { idFromHex, idToHex, newId, timeOfId } from "../../../src/lib/text/ids.ts";

it("an id has its time and 32 hex digits, from which it is made again", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (time) => {
      const id = newId(time);
      const digits = idToHex(id);
      expect(digits).toMatch(/^[0-9a-f]{32}$/);
      expect([timeOfId(id), timeOfId(digits)]).toEqual([time, time]);
      expect(idFromHex(digits)).toBe(id);
      expect(idFromHex(digits.toUpperCase())).toBe(id);
    }),
  );
});
