import { type Glyphs, missingSign, readGlyphs } from "../../lib/image/glyphs.ts";
import bytes from "./glyphs.bin";

let known: Glyphs | undefined;

/** Returns the outlines of letters, which are parsed when the first text is drawn. */
export const glyphs = (): Glyphs => {
  known ??= readGlyphs(new Uint8Array(bytes));
  return known;
};

/** The first character of a text that has no outline, as errors name it; undefined if all have one. */
export function missingCharacter(text: string): string | undefined {
  const missing = glyphs().firstMissing(text);
  return missing === undefined ? undefined : nameOf(missing);
}

function nameOf(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `“${character}” (${code})` : code;
}

/** A line that can be printed. */
export interface PrintableLine {
  readonly text: string;
  /** The different characters that the font lacks, as errors name them. The line has a sign in place of each. */
  readonly replaced: readonly string[];
}

const clusters = new Intl.Segmenter();

/**
 * Returns a text as one printable line: without invisible characters, and with a sign for each visible one that has a
 * part which the font lacks.
 */
export function printableLine(given: string): PrintableLine {
  const line = given.normalize("NFC").replace(/\s+/g, " ").trim();
  if (glyphs().firstMissing(line) === undefined) return { text: line, replaced: [] };
  const replaced = new Set<string>();
  const signs = Array.from(clusters.segment(line), ({ segment }) => {
    const visible = segment.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
    const missing = glyphs().firstMissing(visible);
    if (missing === undefined) return visible;
    if (missing !== missingSign) replaced.add(nameOf(missing));
    return missingSign;
  });
  return { text: signs.join("").replace(/ +/g, " ").trim(), replaced: [...replaced] };
}
