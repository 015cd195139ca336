import qrcode from "qrcode/lib/core/qrcode.js";
import { encode, QrCodeDataType } from "uqr";
import { dataCodewords, type Layout, type Level, layoutOf, levels } from "./error-correction.ts";

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

/** How large a symbol is, and how much of it may be damaged. */
export interface SymbolPlan {
  readonly layout: Layout;
  readonly level: Level;
}

/** The width of a finder pattern in modules. There is one in every corner except the lower right. */
const finder = 7;

/** How many versions beyond the smallest are tried for a logo. */
const moreVersions = 10;
const maxVersion = 40;

/**
 * Plans the smallest symbol that holds a text at level M, at the highest level that still fits it.
 * @param ecc the level to use instead of M, and first
 * @param isReadable whether phones can read a symbol with what covers it; if they can't, symbols of a higher level and
 *   then larger ones are tried
 * @returns undefined if none of them can be read
 */
export function planSymbol(
  text: string,
  ecc?: Level,
  isReadable: (plan: SymbolPlan) => boolean = () => true,
): SymbolPlan | undefined {
  for (const plan of plansFor(text, ecc)) if (isReadable(plan)) return plan;
  return undefined;
}

function* plansFor(text: string, ecc: Level | undefined): Generator<SymbolPlan> {
  const least = ecc ?? "M";
  const version = versions.find((each) => fits(text, each, least));
  if (version === undefined) throw new Error("the text is too long for a QR code");
  const fitting = levels.slice(levels.indexOf(least)).filter((level) => fits(text, version, level));
  // A level that was asked for comes first, otherwise the best one.
  for (const level of ecc === undefined ? fitting.toReversed() : fitting) {
    yield { layout: layoutOfVersion(version), level };
  }
  for (let larger = version + 1; larger <= Math.min(maxVersion, version + moreVersions); larger += 1) {
    const level = levels.findLast((each) => fits(text, larger, each));
    if (level !== undefined) yield { layout: layoutOfVersion(larger), level };
  }
}

const versions = Array.from({ length: maxVersion }, (_, i) => i + 1);

const fits = (text: string, version: number, level: Level): boolean =>
  bitsOf(text, version) <= 8 * dataCodewords(layoutOfVersion(version), level);

/** A part of a text with a mode of its own. */
interface Segment {
  readonly mode: "byte" | "alphanumeric";
  readonly data: string;
}

/** Returns the segments of a text: one, or those of an address in upper case but for its scheme. */
function segmentsOf(text: string): Segment[] {
  const [, scheme = "", rest = ""] = /^([a-z]+)(:[0-9A-Z $%*+./:-]+)$/.exec(text) ?? [];
  if (scheme !== "") {
    return [
      { mode: "byte", data: scheme },
      { mode: "alphanumeric", data: rest },
    ];
  }
  return [{ mode: /^[0-9A-Z $%*+./:-]*$/.test(text) ? "alphanumeric" : "byte", data: text }];
}

/** The bits of a text in a symbol: of each segment its mode, its length, its characters (ISO/IEC 18004, 7.4). */
function bitsOf(text: string, version: number): number {
  const bits = segmentsOf(text).map(({ mode, data }) => {
    if (mode === "byte") return 4 + (version < 10 ? 8 : 16) + 8 * new TextEncoder().encode(data).length;
    const lengthBits = version < 10 ? 9 : version < 27 ? 11 : 13;
    return 4 + lengthBits + 11 * (data.length >> 1) + 6 * (data.length & 1);
  });
  return bits.reduce((sum, each) => sum + each, 0);
}

/** A symbol whose patterns are those of all of its version, whatever they hold. */
const blank = (version: number) =>
  encode("0", { minVersion: version, maxVersion: version, maskPattern: 0, border: 0 });

const layouts = new Map<number, Layout>();

function layoutOfVersion(version: number): Layout {
  const known = layouts.get(version);
  if (known !== undefined) return known;
  const { types, size } = blank(version);
  const layout = layoutOf(version, size, (x, y) => types[y]?.[x] === QrCodeDataType.Data);
  layouts.set(version, layout);
  return layout;
}

/** Encodes a text as a symbol of that size and level. */
export function encodeSymbol(text: string, { layout: { version }, level: ecc }: SymbolPlan): QrSymbol {
  const { isDark, types, side } = modulesOf(text, version, ecc);
  const atEdge = (position: number) => position < finder || position >= side - finder;
  const isFinder = (x: number, y: number) => atEdge(x) && atEdge(y) && (x < finder || y < finder);
  return {
    side,
    alignments: alignmentsOf(version, side).filter(({ x, y }) => !isFinder(x, y)),
    at(x, y) {
      if (!isDark(x, y)) return "light";
      if (isFinder(x, y)) return "finder";
      return types[y]?.[x] === QrCodeDataType.Alignment ? "alignment" : "dot";
    },
  };
}

/** Encodes a text. Only one of the encoders can mix segments, and the other is several times as fast. */
function modulesOf(text: string, version: number, ecc: Level) {
  const segments = segmentsOf(text);
  if (segments.length > 1) {
    const { modules } = qrcode.create(segments, { version, errorCorrectionLevel: ecc });
    const { types, size: side } = blank(version);
    const isInside = (position: number) => position >= 0 && position < side;
    return {
      isDark: (x: number, y: number) => isInside(x) && isInside(y) && modules.get(y, x) === 1,
      types,
      side,
    };
  }
  const {
    data,
    types,
    size: side,
  } = encode(text, { ecc, minVersion: version, maxVersion: version, border: 0 });
  return { isDark: (x: number, y: number) => data[y]?.[x] === true, types, side };
}

/** Encodes a text as the smallest symbol that `planSymbol` finds for it. */
export function qrSymbol(text: string, ecc?: Level): QrSymbol | undefined {
  const plan = planSymbol(text, ecc);
  return plan && encodeSymbol(text, plan);
}

/** Returns all crossings of the lines that alignment patterns are on (ISO/IEC 18004, annex E). */
function alignmentsOf(version: number, side: number) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = version === 32 ? 26 : Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const lines = [6, ...Array.from({ length: count - 1 }, (_, i) => side - 7 - i * step)];
  return lines.flatMap((y) => lines.map((x) => ({ x, y })));
}
