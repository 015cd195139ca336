import type { Hex } from "./color.ts";

/**
 * A logo as outlines and pictures: what the images Worker makes of an uploaded SVG, and all that is ever drawn of it.
 * Lengths are whole numbers; the longer side has `longerSide`.
 */
export interface LogoDrawing {
  readonly width: number;
  readonly height: number;
  readonly gradients: readonly LogoGradient[];
  /** PNGs in base64. */
  readonly pictures: readonly string[];
  /** From bottom to top. */
  readonly items: readonly LogoItem[];
}

/** The longer side of a logo's drawing, in its units: exact enough for a logo on a wall. */
export const longerSide = 20_000;

export type LogoItem =
  | ({ readonly kind: "shape"; readonly outline: LogoOutline } & Painted)
  | {
      readonly kind: "picture";
      readonly picture: number;
      /** From a unit square to the drawing, as in SVG's `matrix()`. */
      readonly matrix: LogoMatrix;
      readonly opacity: number;
    }
  | { readonly kind: "group"; readonly opacity: number; readonly items: readonly LogoItem[] };

interface Painted {
  readonly fill?: LogoPaint | undefined;
  /** Whether areas inside an even number of lines are left out. */
  readonly isEvenOdd?: boolean | undefined;
  readonly stroke?: LogoStroke | undefined;
}

/** An outline, with absolute coordinates. */
export interface LogoOutline {
  /** A letter for each segment: `M` moves, `L` and `C` are a line and a cubic curve, `Z` closes. */
  readonly segments: string;
  /** The coordinates of all segments, x before y: of one point for `M` and `L`, of three for `C`. */
  readonly points: readonly number[];
}

/** A colour, or the index of a gradient. */
export type LogoPaint = { readonly opacity: number } & (
  | { readonly color: Hex }
  | { readonly gradient: number }
);

export interface LogoStroke {
  readonly paint: LogoPaint;
  readonly width: number;
  readonly cap: "butt" | "round" | "square";
  readonly join: "miter" | "round" | "bevel";
  readonly miterLimit: number;
}

export type LogoMatrix = readonly [number, number, number, number, number, number];

export interface LogoGradient {
  readonly type: "linear" | "radial";
  /** Start and end of a linear one; the focus, the centre and the radius of a radial one. */
  readonly coordinates: readonly number[];
  /** From the gradient's coordinates to the drawing. */
  readonly matrix: LogoMatrix;
  readonly stops: readonly { readonly offset: number; readonly color: Hex; readonly opacity: number }[];
}

/** Draws a logo as SVG, for browsers and for the images Worker. */
export function logoSvg({ width, height, gradients, pictures, items }: LogoDrawing): string {
  const definitions = [
    ...gradients.map((gradient, index) => gradientElement(gradient, `g${index}`)),
    ...pictures.map(
      (base64, index) =>
        `<image id="p${index}" width="1" height="1" preserveAspectRatio="none" xlink:href="data:image/png;base64,${base64}"/>`,
    ),
  ].join("");
  return (
    `<svg xmlns="http://www.w3.org/2000/svg"${pictures.length === 0 ? "" : ' xmlns:xlink="http://www.w3.org/1999/xlink"'} ` +
    `viewBox="0 0 ${width} ${height}">${definitions === "" ? "" : `<defs>${definitions}</defs>`}` +
    `${items.map(itemElement).join("")}</svg>`
  );
}

function itemElement(item: LogoItem): string {
  if (item.kind === "group") {
    return `<g opacity="${item.opacity}">${item.items.map(itemElement).join("")}</g>`;
  }
  if (item.kind === "picture") {
    return `<use xlink:href="#p${item.picture}" transform="matrix(${item.matrix.join(" ")})"${opacityOf("", item.opacity)}/>`;
  }
  const { fill, isEvenOdd = false, stroke, outline } = item;
  const rule = isEvenOdd ? ' fill-rule="evenodd"' : "";
  const filled = fill === undefined ? ' fill="none"' : paintOf("fill", fill) + rule;
  return `<path${filled}${stroke === undefined ? "" : strokeOf(stroke)} d="${pathData(outline)}"/>`;
}

function paintOf(property: "fill" | "stroke", paint: LogoPaint): string {
  const value = "color" in paint ? paint.color : `url(#g${paint.gradient})`;
  return ` ${property}="${value}"${opacityOf(`${property}-`, paint.opacity)}`;
}

const strokeOf = ({ paint, width, cap, join, miterLimit }: LogoStroke): string =>
  `${paintOf("stroke", paint)} stroke-width="${width}" stroke-linecap="${cap}" stroke-linejoin="${join}" ` +
  `stroke-miterlimit="${miterLimit}"`;

const opacityOf = (prefix: string, opacity: number): string =>
  opacity === 1 ? "" : ` ${prefix}opacity="${opacity}"`;

function gradientElement({ type, coordinates, matrix, stops }: LogoGradient, id: string): string {
  const names = type === "linear" ? ["x1", "y1", "x2", "y2"] : ["fx", "fy", "cx", "cy", "r"];
  const placed = names.map((name, index) => `${name}="${coordinates[index] ?? 0}"`).join(" ");
  const colors = stops.map(
    ({ offset, color, opacity }) =>
      `<stop offset="${offset}" stop-color="${color}"${opacityOf("stop-", opacity)}/>`,
  );
  return (
    `<${type}Gradient id="${id}" gradientUnits="userSpaceOnUse" ${placed} ` +
    `gradientTransform="matrix(${matrix.join(" ")})">${colors.join("")}</${type}Gradient>`
  );
}

/** Returns path data with relative coordinates, which are shorter. */
function pathData({ segments, points }: LogoOutline): string {
  let data = "";
  let at = 0;
  let [x, y, startX, startY] = [0, 0, 0, 0];
  for (const segment of segments) {
    if (segment === "Z") {
      data += "z";
      [x, y] = [startX, startY];
      continue;
    }
    const count = segment === "C" ? 6 : 2;
    let numbers = "";
    for (let index = 0; index < count; index += 1) {
      const value = (points[at + index] ?? 0) - (index % 2 === 0 ? x : y);
      numbers += value < 0 || index === 0 ? value : ` ${value}`;
    }
    at += count;
    [x, y] = [points[at - 2] ?? 0, points[at - 1] ?? 0];
    if (segment === "M") [startX, startY] = [x, y];
    data += segment.toLowerCase() + numbers;
  }
  return data;
}
