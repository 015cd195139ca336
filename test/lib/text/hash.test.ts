import fc from "fast-check";
import { expect, it } from "vitest";
import { foldHash, newHash, readHash, readScannedHash } from "../../../src/lib/text/hash.ts";

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

const chosenForm = /^[0-9a-z-]{4,32}$/;

it("a hash is read in any case, and not in anything else", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 36 }),
    fc.stringMatching(/^[0-9A-Za-z-]{1,36}$/),
    fc.stringMatching(/^[0-9A-Za-z_.-]{4,12}$/),
  );
  fc.assert(
    fc.property(text, (text) => {
      const lower = text.toLowerCase();
      expect(readHash(text)).toBe(chosenForm.test(lower) ? lower : null);
    }),
  );
});

it("a hash and its misreadings have one folded form, which a generated hash is itself", () => {
  expect(foldHash("menu-2oed")).toBe("menu-20ed");
  expect(foldHash("loli2z5s")).toBe("10112z5s");
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-z-]{4,32}$/), (hash) => {
      const folded = foldHash(hash);
      expect(folded).not.toMatch(/[oil]/);
      expect(foldHash(folded)).toBe(folded);
      for (const [i, char] of [...hash].entries()) {
        if (!/[oil]/.test(char)) expect(folded[i]).toBe(char);
      }
    }),
  );
  for (let i = 0; i < 100; i += 1) {
    const hash = newHash();
    expect(foldHash(hash)).toBe(hash);
  }
});

it.each([
  ...[
    "menu-1)",
    "menu-1.",
    "menu-1...",
    "menu-1?!",
    "menu-1”",
    "menu-1»",
    "menu-1'",
    'menu-1">',
    "menu-1】",
    "menu-1。",
  ],
  ...[
    "menu-1 ",
    "menu-1\u00a0\u200b",
    "\ufeffmenu-1",
    "me\u00adnu-1",
    "Menu\u20111",
    "menu–1",
    "menu—1",
    "menu−1",
    "*menu-1**".slice(1),
  ],
])("a scan of %j is one of menu-1", (segment) => {
  expect(readHash(segment)).toBe(null);
  expect(readScannedHash(segment)).toBe("menu-1");
});

it.each([
  "menu(1",
  "menu 1",
  "(menu-1)",
  "menu/1",
  "menu-1&",
  "me)",
  `menu-1${")".repeat(60)}`,
  "menu+1",
  "menü-1",
])("a scan of %j is none of a hash", (segment) => {
  expect(readScannedHash(segment)).toBe(null);
});
