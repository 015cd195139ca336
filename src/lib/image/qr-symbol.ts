import { encode, QrCodeDataType } from "uqr";
import { type Correctable, type Level, levels } from "./error-correction.ts";

/** How a module is drawn: not at all, as part of a finder or alignment pattern, or as a dot. */
type Module = "light" | "finder" | "alignment" | "dot";

/** The modules of a QR code, without a margin. */
export interface QrSymbol {
  /** Modules per side. */
  readonly side: number;
  /** The centres of the alignment patterns, which are five modules wide. */
  readonly alignments: readonly { readonly x: number; readonly y: number }[];
  /** Returns the module at a position; light outside the symbol. */
  at(x: number, y: number): Module;
}

/** A symbol with what is known of its bits. */
export interface EncodedSymbol extends QrSymbol, Correctable {}

/** The width of a finder pattern in modules. There is one in each corner except the lower right. */
const finder = 7;

/** How many versions beyond the smallest are tried for a logo. */
const moreVersions = 10;
const maxVersion = 40;

/**
 * Encodes a text as the smallest symbol that holds it at level M, at the highest level that still fits it.
 * @param ecc a level instead
 * @param isReadable whether phones can read a symbol with what covers it; if they can't, symbols of a higher level and then
 *   larger ones are tried
 * @returns undefined if none of them can be read
 */
export function qrSymbol(
  text: string,
  ecc?: Level,
  isReadable: (symbol: EncodedSymbol) => boolean = () => true,
): EncodedSymbol | undefined {
  const smallest = symbolOf(text, ecc ?? "M", 1, maxVersion);
  if (smallest === undefined) throw new Error("the text is too long for a QR code");
  const { version } = smallest;
  const higher = levels.slice(levels.indexOf(ecc ?? "M") + 1).toReversed();
  const inVersion = higher.flatMap((level) => symbolOf(text, level, version, version) ?? []);
  // A level that was asked for comes first, otherwise the best one.
  const candidates = ecc === undefined ? [...inVersion, smallest] : [smallest, ...inVersion.toReversed()];
  const readable = candidates.find(isReadable);
  if (readable !== undefined) return readable;
  for (let larger = version + 1; larger <= Math.min(maxVersion, version + moreVersions); larger += 1) {
    const symbol = levels
      .toReversed()
      .map((level) => symbolOf(text, level, larger, larger))
      .find((each) => each !== undefined);
    if (symbol !== undefined && isReadable(symbol)) return symbol;
  }
  return undefined;
}

function symbolOf(
  text: string,
  ecc: Level,
  minVersion: number,
  maxVersion: number,
): EncodedSymbol | undefined {
  const encoded = encodeIfFits(text, { ecc, minVersion, maxVersion, border: 0 });
  if (encoded === undefined) return undefined;
  const { data, types, size: side, version } = encoded;
  const atEdge = (position: number) => position < finder || position >= side - finder;
  const isFinder = (x: number, y: number) => atEdge(x) && atEdge(y) && (x < finder || y < finder);
  return {
    side,
    version,
    level: ecc,
    alignments: alignmentsOf(version, side).filter(({ x, y }) => !isFinder(x, y)),
    at(x, y) {
      if (data[y]?.[x] !== true) return "light";
      if (isFinder(x, y)) return "finder";
      return types[y]?.[x] === QrCodeDataType.Alignment ? "alignment" : "dot";
    },
    isData: (x, y) => types[y]?.[x] === QrCodeDataType.Data,
  };
}

function encodeIfFits(...input: Parameters<typeof encode>): ReturnType<typeof encode> | undefined {
  try {
    return encode(...input);
  } catch (error) {
    if (error instanceof RangeError || String(error).includes("too long")) return undefined;
    throw error;
  }
}

/** Returns all crossings of the lines that alignment patterns are on (ISO/IEC 18004, annex E). */
function alignmentsOf(version: number, side: number) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const lines = [6, ...Array.from({ length: count - 1 }, (_, i) => side - 7 - i * step)];
  return lines.flatMap((y) => lines.map((x) => ({ x, y })));
}
