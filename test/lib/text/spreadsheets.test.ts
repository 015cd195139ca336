import { afterEach, expect, it, vi } from "vitest";
import { newHash } from "../../../src/lib/text/hash.ts";
import { damageOf, readsAsValue } from "../../../src/lib/text/spreadsheets.ts";

afterEach(() => vi.restoreAllMocks());

it.each([
  ...["12345e12", "00012345", "1e5000", "3e680828", "1mar2026", "12-03-2026", "03-2026", "may2026", "mar-26"],
  ...["1-jan", "12dec", "2026-11", "2026-11-28", "24dezember", "1okt2026", "1-sept-26", "0000", "9e99"],
])("a spreadsheet reads the short name %s as a number or a date", (name) => {
  expect(readsAsValue(name)).toBe(true);
});

it.each([
  ...[
    "menu",
    "12a45e12",
    "e1234567",
    "1e5e5000",
    "march",
    "may",
    "market-1",
    "decor2026",
    "1234-x",
    "table-12",
  ],
  ...["2in1", "1-2-3-4", "a0000000", "-123", "123-", "12e", "mars-bar-1", "jan-and-1"],
])("a spreadsheet keeps the short name %s", (name) => {
  expect(readsAsValue(name)).toBe(false);
});

it("a generated hash is drawn again if it reads so", () => {
  const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
  const drawn = ["12345678", "12345e12", "1mar2026", "01020304", "k2345678"];
  vi.spyOn(crypto, "getRandomValues").mockImplementation((bytes) => {
    const hash = drawn.shift() ?? "";
    if (bytes instanceof Uint8Array) bytes.set([...hash].map((char) => alphabet.indexOf(char)));
    return bytes;
  });
  expect(newHash()).toBe("k2345678");
  expect(drawn).toEqual([]);
});

it.each([
  ["1.23E+16", "number"],
  ["1,23E+16", "number"],
  ["1.00E+05", "number"],
  ["12345678901234500000", "15 digits"],
  ["12.5", "number"],
  ["01.03.2026", "date"],
  ["3/1/2026", "date"],
  ["2026-03-01 00:00:00", "date"],
  ["1-Mar", "date"],
  ["Mrz 26", "date"],
  ["1. März 2026", "date"],
  ["#NAME?", "error"],
  ["########", "error"],
  ["#NV", "error"],
  ["123", "lost zeros"],
  ["46082", "lost zeros"],
])("what finds nothing may be damage of a spreadsheet: %s", (text, word) => {
  expect(damageOf(text)).toContain(word);
  expect(damageOf(text)).toMatch(/^It .*\. Open the file with this column as text\.$/);
});

it.each(["menu", "A-1", "SKU 12", "k2345678", "", "0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71", "Table 7b"])(
  "other names aren't: %j",
  (text) => {
    expect(damageOf(text)).toBe("");
  },
);
