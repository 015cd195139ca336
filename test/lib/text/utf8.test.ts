import fc from "fast-check";
import { expect, it } from "vitest";
import { utf8Length } from "../../../src/lib/text/utf8.ts";

it("the length of text as UTF-8 is that of its encoding, of unpaired surrogates too", () => {
  const encoder = new TextEncoder();
  const points = fc.array(fc.integer({ min: 0, max: 0x10ffff }));
  const whole = points.map((each) => String.fromCodePoint(...each));
  const broken = fc.array(fc.constantFrom("a", "é", "€", "\ud83d", "\udc4d")).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(whole, broken), (text) => {
      expect(utf8Length(text)).toBe(encoder.encode(text).length);
    }),
  );
});
