import { missingSign } from "../../lib/image/glyphs.ts";
import type { Caption } from "../../lib/print/label.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { type QrRow, scanUrlOf } from "../../store/codes/columns.ts";
import type { Deps } from "../deps.ts";
import { printableLine } from "../images/glyphs.ts";

/** The captions of a code. */
export interface Captions {
  readonly lines: readonly Caption[];
  /** Characters in them that the font lacks. A sign replaces each. */
  readonly replaced: readonly string[];
}

/** Returns a code's captions: the text of each requested one that the code has. */
export function captionsOf(deps: Deps, row: QrRow, asked: readonly string[]): Captions {
  const captions = asked.map((what) => {
    const { text, shortens } = captionOf(deps, row, what);
    return { ...printableLine(text), shortens };
  });
  return {
    lines: captions.flatMap(({ text, shortens }) => (text === "" ? [] : [{ text, shortens }])),
    replaced: [...new Set(captions.flatMap(({ replaced }) => replaced))],
  };
}

/** How many replaced characters of a label are named. */
const namedCharacters = 10;

/** Says which characters of a label a sign stands for; undefined for none. */
export function noteOnReplaced(replaced: readonly string[]): string | undefined {
  if (replaced.length === 0) return undefined;
  const others = replaced.length > namedCharacters ? " and others" : "";
  return `${missingSign} stands for ${replaced.slice(0, namedCharacters).join(", ")}${others}, which our font lacks.`;
}

function captionOf({ settings }: Deps, row: QrRow, what: string): Caption {
  switch (what) {
    case "name":
      return { text: row.name ?? "", shortens: true };
    case "link":
      // People type it without a scheme.
      return { text: withoutScheme(scanUrlOf(row, settings.scanOrigin)), shortens: false };
    case "tags":
      return { text: row.tags.join(", "), shortens: true };
    default: {
      const value = row.advanced?.[what.slice("advanced.".length)];
      const isText = typeof value === "string" || typeof value === "number";
      return { text: isText ? String(value) : "", shortens: true };
    }
  }
}
