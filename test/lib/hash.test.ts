import fc from "fast-check";
import { expect, it } from "vitest";
import { newHash, readHash } from "../../src/lib/text/hash.ts";

it("a hash has 8 characters without look-alikes, and is read back in any case", () => {
  for (let i = 0; i < 1000; i += 1) {
    const hash = newHash();
    expect(hash).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
    expect(readHash(hash)).toBe(hash);
    expect(readHash(hash.toUpperCase())).toBe(hash);
  }
});

it("a hash contains every character about equally often", () => {
  const counts = new Map<string, number>();
  for (let i = 0; i < 8000; i += 1)
    for (const char of newHash()) counts.set(char, (counts.get(char) ?? 0) + 1);
  expect(counts.size).toBe(32);
  for (const count of counts.values()) expect(Math.abs(count - 2000)).toBeLessThan(300);
});

it("a hash is recognised with common misreadings", () => {
  expect(readHash("O0oIlL1i")).toBe("00011111");
});

it("a hash is not recognised in anything else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 12 }), (text) => {
      const hash = readHash(text);
      expect(hash === null || /^[0-9a-hjkmnp-tv-z]{8}$/.test(hash)).toBe(true);
      if (text.length !== 8 || /[^0-9a-z]|u/i.test(text)) expect(hash).toBeNull();
    }),
  );
});
