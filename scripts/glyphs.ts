import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Blob, Buffer, Face, Feature, Font, shape, Variation } from "harfbuzzjs";
import subsetFont from "subset-font";
import { root } from "./lib/wrangler.ts";

/**
 * Writes src/domain/images/glyphs.bin, the outlines of the letters supported in a frame's text, from Inter in weight
 * 600: `node scripts/glyphs.ts`. The format is that of src/lib/image/glyphs.ts. Inter is under the SIL Open Font
 * License.
 */
const parts = ["latin", "latin-ext", "vietnamese", "greek", "cyrillic", "cyrillic-ext"];
const weight = 600;

/** Latin, Greek, Cyrillic and Vietnamese, with punctuation, currencies and a few symbols. */
const ranges = [
  ...[
    [0x20, 0x24f],
    [0x259, 0x259],
    [0x370, 0x52f],
    [0x1e00, 0x1eff],
    [0x2010, 0x203a],
    [0x20a0, 0x20c0],
  ],
  ...[
    [0x2113, 0x2113],
    [0x2116, 0x2116],
    [0x2122, 0x2122],
    [0x2191, 0x2193],
    [0x2212, 0x2212],
  ],
] as const;
const isWanted = (code: number): boolean =>
  ranges.some(([from = 0, to = 0]) => code >= from && code <= to) &&
  !/[\p{M}\p{C}\p{Zl}\p{Zp}]/u.test(String.fromCodePoint(code));

/** Letters that are kerned. Those with diacritics are treated as their base letters. */
const kerned = [
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.,:-'’!?",
  "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψω",
  "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзиклмнопрстуфхцчшщъыьэюя",
];
/** Smaller adjustments are invisible. */
const leastKerning = 8;
const unitsPerEm = 1024;

interface Glyph {
  readonly advance: number;
  readonly outline: readonly number[];
}

const glyphs = new Map<number, Glyph>();
const pairs: [first: number, second: number, adjustment: number][] = [];

for (const part of parts) {
  const path = `@fontsource-variable/inter/files/inter-${part}-wght-normal.woff2`;
  const bytes = await readFile(createRequire(import.meta.url).resolve(path));
  const letters = [...Array(0x2213).keys()].filter(isWanted);
  const font = new Font(
    new Face(new Blob(await subsetFont(bytes, String.fromCodePoint(...letters), { targetFormat: "sfnt" }))),
  );
  font.setScale(unitsPerEm, unitsPerEm);
  font.setVariations([new Variation("wght", weight)]);
  for (const code of letters) {
    const glyph = font.nominalGlyph(code);
    if (glyph === undefined || glyph === 0 || glyphs.has(code)) continue;
    const [position] = shaped(font, [code]);
    glyphs.set(code, { advance: position ?? 0, outline: outlineOf(font.glyphToPath(glyph)) });
  }
  for (const alphabet of kerned) {
    const own = [...alphabet]
      .map((letter) => letter.codePointAt(0) ?? 0)
      .filter((code) => font.nominalGlyph(code));
    for (const first of own) {
      for (const second of own) {
        const [advance = 0] = shaped(font, [first, second]);
        const adjustment = Math.round(advance - (glyphs.get(first)?.advance ?? 0));
        const isKnown = pairs.some(([one, other]) => one === first && other === second);
        if (Math.abs(adjustment) >= leastKerning && !isKnown) pairs.push([first, second, adjustment]);
      }
    }
  }
}

/** Returns the advances of a text's letters. */
function shaped(font: Font, codes: number[]): number[] {
  const buffer = new Buffer();
  buffer.addCodePoints(codes);
  buffer.guessSegmentProperties();
  shape(font, buffer, [new Feature("kern", 1), new Feature("calt", 0), new Feature("liga", 0)]);
  return buffer.getGlyphPositions().map(({ xAdvance }) => xAdvance);
}

/**
 * Returns commands and coordinates as numbers: 1 move, 2 line, 3 curve, 4 close, each followed by relative coordinates;
 * y grows downwards.
 */
function outlineOf(path: string): number[] {
  const numbers: number[] = [];
  let at = [0, 0];
  for (const [, command = "", text = ""] of path.matchAll(/([MLQZ])([^MLQZ]*)/g)) {
    numbers.push("MLQZ".indexOf(command) + 1);
    const values = text.split(/[ ,]+/).filter(Boolean).map(Number);
    for (let i = 0; i < values.length; i += 2) {
      const point = [Math.round(values[i] ?? 0), -Math.round(values[i + 1] ?? 0)];
      numbers.push(zigzag((point[0] ?? 0) - (at[0] ?? 0)), zigzag((point[1] ?? 0) - (at[1] ?? 0)));
      at = point;
    }
  }
  return numbers;
}

function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

const bytes: number[] = [];
/** Seven bits per byte, lowest first. */
function write(value: number): void {
  let rest = value;
  for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

const sorted = [...glyphs].sort(([one], [other]) => one - other);
write(sorted.length);
let previous = 0;
for (const [code, { advance, outline }] of sorted) {
  write(code - previous);
  previous = code;
  write(Math.round(advance));
  write(outline.length);
  for (const number of outline) write(number);
}
write(pairs.length);
for (const [first, second, adjustment] of pairs) {
  write(first);
  write(second);
  write(zigzag(adjustment));
}
await writeFile(join(root, "src/domain/images/glyphs.bin"), Uint8Array.from(bytes));
console.log(`${sorted.length} letters, ${pairs.length} pairs, ${bytes.length} bytes`);
console.log(sorted.map(([code]) => String.fromCodePoint(code)).join(""));
