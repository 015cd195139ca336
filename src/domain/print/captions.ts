import type { Caption } from "../../lib/print/label.ts";
import { withoutScheme } from "../../lib/web/without-scheme.ts";
import { type QrRow, scanUrlOf } from "../../store/codes/columns.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { missingCharacter } from "../images/glyphs.ts";

/**
 * Returns a code's captions: the text of each requested one that the code has.
 * @throws invalid_input for a character that the font lacks
 */
export function captionsOf(deps: Deps, row: QrRow, asked: readonly string[]): Caption[] {
  return asked.flatMap((what, index) => {
    const { text, shortens } = captionOf(deps, row, what);
    const line = text.normalize("NFC").replace(/\s+/g, " ").trim();
    const missing = missingCharacter(line);
    if (missing !== undefined) {
      throw invalid(
        `captions.${index}`,
        `can't be printed for the code ${row.hash}: our font has no ${missing}. Leave it out or change the text.`,
      );
    }
    return line === "" ? [] : [{ text: line, shortens }];
  });
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
