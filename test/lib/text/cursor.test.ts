import fc from "fast-check";
import { expect, it } from "vitest";
import { readCursor, writeCursor } from "../../../src/lib/text/cursor.ts";

it("a cursor is read back with its own filters only, and needs no escaping in a URL", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (after, q) => {
      const cursor = writeCursor(after, { q });
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(readCursor(cursor, { q })).toBe(after);
      expect(readCursor(cursor, { q: `${q}.` })).toBeNull();
    }),
  );
});

it("anything else is no cursor", () => {
  for (const text of ["", "x", "é", "%%%", btoa("null"), btoa("[1,2]"), btoa("[]")]) {
    expect(readCursor(text, {})).toBeNull();
  }
});
