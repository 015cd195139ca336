import { type Glyphs, readGlyphs } from "../../lib/image/glyphs.ts";
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
  if (missing === undefined) return undefined;
  const code = `U+${(missing.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(missing) ? `“${missing}” (${code})` : code;
}
