import { expect, it } from "vitest";
import { glyphs, printableLine } from "../../src/domain/images/glyphs.ts";

it.each([
  ["Table 7", "Table 7", []],
  ["  Größe\n L ", "Größe L", []],
  ["菜单", "□□", ["“菜” (U+83DC)", "“单” (U+5355)"]],
  ["Menü 菜菜 2", "Menü □□ 2", ["“菜” (U+83DC)"]],
  ["הזמנה", "□□□□□", ["“ה” (U+05D4)", "“ז” (U+05D6)", "“מ” (U+05DE)", "“נ” (U+05E0)"]],
  ["Table 🍜", "Table □", ["“🍜” (U+1F35C)"]],
  ["👨‍👩‍👧 family", "□ family", ["“👨” (U+1F468)"]],
  ["🇩🇪", "□", ["“🇩” (U+1F1E9)"]],
  ["👍🏽❤️", "□□", ["“👍” (U+1F44D)", "“❤” (U+2764)"]],
  ["नमस्ते", "□□□", ["“न” (U+0928)", "“म” (U+092E)", "“स” (U+0938)"]],
  ["x\u0302\u0303", "□", ["U+0302"]],
  ["Table \u202e7\u202c", "Table 7", []],
  ["soft\u00adhyphen\u200b", "softhyphen", []],
  ["\ud800", "□", ["U+D800"]],
  ["\u0000", "□", ["U+0000"]],
  ["□", "□", []],
  ["", "", []],
  ["\u200b", "", []],
])("%j is printed as %j", (text, printed, replaced) => {
  const line = printableLine(text);
  expect(line).toEqual({ text: printed, replaced });
  expect(() => glyphs().outline(line.text)).not.toThrow();
});

it("the sign is a visible box of a capital's height", () => {
  const { width, path, capHeight } = glyphs().outline("□");
  expect(width).toBeGreaterThan(0.5);
  expect(path(0, 1, 1)).toMatch(/^M\.07 1L\.07\.27L\.65\.27L\.65 1zM/);
  expect(capHeight).toBeCloseTo(0.73, 2);
});
