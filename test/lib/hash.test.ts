import fc from "fast-check";
import { expect, it } from "vitest";
import { correctedHash, lookUpReadings, newHash, readHash, readingsOf } from "../../src/lib/text/hash.ts";

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

it("a hash with common misreadings stands for a generated one", () => {
  expect(correctedHash("o0oillli")).toBe("00011111");
  expect(readingsOf("o0oillli")).toEqual(["o0oillli", "00011111"]);
});

it("only what becomes a generated hash is corrected", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-z-]{4,12}$/), (hash) => {
      const corrected = correctedHash(hash);
      const isMisread = /^[0-9a-tv-z]{8}$/.test(hash) && /[oil]/.test(hash);
      expect(corrected !== null).toBe(isMisread);
      if (corrected !== null) expect(corrected).toMatch(/^[0-9a-hjkmnp-tv-z]{8}$/);
      expect(readingsOf(hash)).toEqual(corrected === null ? [hash] : [hash, corrected]);
    }),
  );
  for (let i = 0; i < 100; i += 1) expect(correctedHash(newHash())).toBeNull();
});

it("a hash is looked up as it was read first, and as a misreading only if no code has it", async () => {
  const look = async (hash: string, existing: string[]) => {
    const asked: string[] = [];
    const find = async (reading: string) => {
      asked.push(reading);
      return existing.includes(reading) ? reading : undefined;
    };
    return [await lookUpReadings(hash, find), ...asked];
  };
  expect(await look("aaaaaaao", ["aaaaaaao", "aaaaaaa0"])).toEqual(["aaaaaaao", "aaaaaaao"]);
  expect(await look("aaaaaaao", ["aaaaaaa0"])).toEqual(["aaaaaaa0", "aaaaaaao", "aaaaaaa0"]);
  expect(await look("aaaaaaao", [])).toEqual([undefined, "aaaaaaao", "aaaaaaa0"]);
  expect(await look("aaaaaaaa", [])).toEqual([undefined, "aaaaaaaa"]);
});
