import { type Hex, readTranslucent } from "../../lib/image/color.ts";
import { readLength, readShare } from "./lengths.ts";
import { type Matrix, stretch } from "./matrix.ts";
import { LogoProblem } from "./work.ts";

/** A colour or a reference to a gradient, as an element has it. */
export type SvgPaint =
  | { readonly kind: "none" }
  | { readonly kind: "color"; readonly color: Hex; readonly opacity: number }
  | { readonly kind: "reference"; readonly id: string; readonly otherwise: SvgPaint };

const none: SvgPaint = { kind: "none" };

/** Properties that an element inherits. */
export interface Style {
  readonly color: SvgPaint;
  readonly fill: SvgPaint;
  readonly fillOpacity: number;
  readonly isEvenOdd: boolean;
  readonly stroke: SvgPaint;
  readonly strokeOpacity: number;
  readonly strokeWidth: number;
  readonly cap: "butt" | "round" | "square";
  readonly join: "miter" | "round" | "bevel";
  readonly miterLimit: number;
  readonly isDashed: boolean;
  readonly hasMarkers: boolean;
  readonly strokeIsFirst: boolean;
  readonly isVisible: boolean;
}

export const initialStyle: Style = {
  color: { kind: "color", color: "#000000", opacity: 1 },
  fill: { kind: "color", color: "#000000", opacity: 1 },
  fillOpacity: 1,
  isEvenOdd: false,
  stroke: none,
  strokeOpacity: 1,
  strokeWidth: 1,
  cap: "butt",
  join: "miter",
  miterLimit: 4,
  isDashed: false,
  hasMarkers: false,
  strokeIsFirst: false,
  isVisible: true,
};

const caps = { butt: "butt", round: "round", square: "square" } as const;
const joins = {
  ...({ miter: "miter", round: "round", bevel: "bevel" } as const),
  ...({ "miter-clip": "miter", arcs: "miter" } as const),
};

const choice = <T>(choices: Readonly<Record<string, T>>, text: string | undefined): T | undefined =>
  text !== undefined && Object.hasOwn(choices, text) ? choices[text] : undefined;

/**
 * Returns the style of an element with these declarations. Values that make no sense are as if they were absent.
 * @param diagonal what percentages of a stroke's width refer to
 */
export function styleOf(declared: ReadonlyMap<string, string>, inherited: Style, diagonal: number): Style {
  if (declared.size === 0) return inherited;
  const own = (property: string): string | undefined => {
    const value = declared.get(property);
    return value === "inherit" ? undefined : value;
  };
  const color = readPaint(own("color"), inherited.color) ?? inherited.color;
  const share = (property: string, absent: number) => readShare(own(property), absent);
  const markers = ["marker", "marker-start", "marker-mid", "marker-end"].map(own);
  const width = readLength(own("stroke-width"), diagonal);
  return {
    color,
    fill: readPaint(own("fill"), color) ?? inherited.fill,
    fillOpacity: share("fill-opacity", inherited.fillOpacity),
    isEvenOdd: choice({ evenodd: true, nonzero: false }, own("fill-rule")) ?? inherited.isEvenOdd,
    stroke: readPaint(own("stroke"), color) ?? inherited.stroke,
    strokeOpacity: share("stroke-opacity", inherited.strokeOpacity),
    strokeWidth: width !== undefined && width >= 0 ? width : inherited.strokeWidth,
    cap: choice(caps, own("stroke-linecap")) ?? inherited.cap,
    join: choice(joins, own("stroke-linejoin")) ?? inherited.join,
    miterLimit: Math.max(1, readLength(own("stroke-miterlimit")) ?? inherited.miterLimit),
    isDashed: isDashed(own("stroke-dasharray")) ?? inherited.isDashed,
    hasMarkers:
      markers.some((marker) => marker?.startsWith("url") ?? false) ||
      (inherited.hasMarkers && !markers.includes("none")),
    strokeIsFirst: own("paint-order")?.startsWith("stroke") ?? inherited.strokeIsFirst,
    isVisible:
      choice({ visible: true, hidden: false, collapse: false }, own("visibility")) ?? inherited.isVisible,
  };
}

/** Returns whether a value of `stroke-dasharray` makes dashes. */
const isDashed = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : value !== "none" && /[1-9]/.test(value);

/** Reads a paint; undefined for none that can be read. */
export function readPaint(text: string | undefined, current: SvgPaint): SvgPaint | undefined {
  if (text === undefined) return undefined;
  if (text === "none" || text === "transparent") return none;
  if (/^currentcolor$/i.test(text)) return current;
  if (/^context-(?:fill|stroke)$/.test(text))
    throw new LogoProblem("has a marker. Convert strokes to paths.");
  const [reference, id = ""] = /^url\([ \t]*["']?#([^"')]*)(?:["'][ \t]*)?\)/i.exec(text) ?? [];
  if (reference !== undefined) {
    const rest = text.slice(reference.length).trim();
    // Another reference can't follow.
    const otherwise = /^url\(/i.test(rest) ? none : (readPaint(rest, current) ?? none);
    return { kind: "reference", id: id.trim(), otherwise };
  }
  // Inkscape may append the colour of a printer's profile.
  const color = readTranslucent(text.replace(/[ \t]icc-color\(.*$/, "").trimEnd());
  return color === null ? undefined : { kind: "color", ...color };
}

/**
 * Returns the width of a stroke after a transformation.
 * @throws LogoProblem for one that is stretched in one direction
 */
export function strokeScale(matrix: Matrix): number {
  const { most, least } = stretch(matrix);
  if (most > least * 1.02) throw new LogoProblem("has strokes that are stretched. Convert strokes to paths.");
  return (most + least) / 2;
}
