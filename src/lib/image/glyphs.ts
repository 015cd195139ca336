import type { TextOutline } from "./frame.ts";
import { args } from "./path.ts";

/** The unit of the outlines. */
const unitsPerEm = 1024;
/** The height of Inter's capitals, in ems. */
const capHeight = 1490 / 2048;

/**
 * A letter's outlines, encoded as in the file: 1 move, 2 line, 3 curve, 4 close, each followed by relative coordinates.
 */
interface Glyph {
  readonly advance: number;
  readonly outline: readonly number[];
}

/** Stands for a character without an outline, and has one itself: an empty box as high as a capital. */
export const missingSign = "\u25a1";

const box: Glyph = {
  advance: 740,
  outline: [
    [1, 70, 0],
    [2, 0, -745],
    [2, 600, 0],
    [2, 0, 745],
    [4],
    [1, -520, -80],
    [2, 440, 0],
    [2, 0, -585],
    [2, -440, 0],
    [4],
  ].flatMap(([command = 0, ...pair]) => [
    command,
    ...pair.map((value) => (value < 0 ? -2 * value - 1 : 2 * value)),
  ]),
};

/** Letters as outlines, so that an image with text needs no font. */
export interface Glyphs {
  /** Returns the first character of a text without an outline. Nobody designs with `missingSign`, so it counts as one. */
  firstMissing(text: string): string | undefined;
  /** @throws if a character of the text has no outline and isn't `missingSign` */
  outline(text: string): TextOutline;
}

/** Parses the file that `scripts/glyphs.ts` writes. */
export function readGlyphs(bytes: Uint8Array): Glyphs {
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const glyphs = new Map<string, Glyph>();
  let code = 0;
  for (let count = next(); count > 0; count -= 1) {
    code += next();
    const advance = next();
    const outline = Array.from({ length: next() }, next);
    glyphs.set(String.fromCodePoint(code), { advance, outline });
  }
  const kerning = new Map<string, number>();
  for (let count = next(); count > 0; count -= 1) {
    kerning.set(String.fromCodePoint(next(), next()), signed(next()));
  }
  const characters = (text: string) => [...text.normalize("NFC").replace(/\s/g, " ")];
  return {
    firstMissing: (text) => characters(text).find((character) => !glyphs.has(character)),
    outline(text) {
      const placed: { readonly x: number; readonly outline: readonly number[] }[] = [];
      let x = 0;
      let before = "";
      for (const character of characters(text)) {
        const glyph = glyphs.get(character) ?? (character === missingSign ? box : undefined);
        if (glyph === undefined) throw new Error("a character without an outline");
        x += kerning.get(baseOf(before) + baseOf(character)) ?? 0;
        placed.push({ x, outline: glyph.outline });
        x += glyph.advance;
        before = character;
      }
      return {
        width: x / unitsPerEm,
        capHeight,
        path: (left, baseline, em) => {
          const scale = em / unitsPerEm;
          return placed
            .map((glyph) => pathOf(glyph.outline, left + glyph.x * scale, baseline, scale))
            .join("");
        },
      };
    },
  };
}

/** Returns a letter without its diacritics, which hardly affect kerning. */
const baseOf = (character: string): string => character.normalize("NFD").slice(0, 1);

const signed = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/** Two decimals are finer than any printer. */
const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Path letters, and how many coordinate pairs follow each command of an outline. */
const commands = [
  ["", 0],
  ["M", 1],
  ["L", 1],
  ["Q", 2],
  ["z", 0],
] as const;

function pathOf(outline: readonly number[], left: number, baseline: number, scale: number): string {
  let path = "";
  let [x, y] = [0, 0];
  for (let i = 0; i < outline.length; ) {
    const [letter, pairs] = commands[outline[i] ?? 0] ?? commands[0];
    i += 1;
    const values: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1, i += 2) {
      x += signed(outline[i] ?? 0);
      y += signed(outline[i + 1] ?? 0);
      values.push(rounded(left + x * scale), rounded(baseline + y * scale));
    }
    path += letter + args(...values);
  }
  return path;
}
