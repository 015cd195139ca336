import { type Glyphs, readGlyphs } from "../../lib/image/glyphs.ts";
import bytes from "./glyphs.bin";

let known: Glyphs | undefined;

/** Returns the outlines of letters, which are parsed when the first text is drawn. */
export const glyphs = (): Glyphs => {
  known ??= readGlyphs(new Uint8Array(bytes));
  return known;
};
