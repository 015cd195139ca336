import { Scanner } from "./scanner.ts";
import { LogoProblem, type Work } from "./work.ts";

export type Point = readonly [x: number, y: number];

/** A transformation, as the six numbers of SVG's `matrix()`. */
export type Matrix = readonly [number, number, number, number, number, number];

const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** Returns the transformation that applies `inner` first. */
export const times = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  ...([a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j] as const),
  ...([a * k + c * l + e, b * k + d * l + f] as const),
];

export const transformed = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** Returns the transformation that undoes another; undefined for one that makes everything flat. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c;
  if (area === 0 || !Number.isFinite(1 / area)) return undefined;
  return [
    ...([d / area, -b / area, -c / area, a / area] as const),
    ...([(c * f - d * e) / area, (b * e - a * f) / area] as const),
  ];
}

/** How much a transformation enlarges lengths, in the directions of the most and the least. */
export function stretch([a, b, c, d]: Matrix): { readonly most: number; readonly least: number } {
  const [sum, difference] = [Math.hypot(a + d, b - c), Math.hypot(a - d, b + c)];
  return { most: (sum + difference) / 2, least: Math.abs(sum - difference) / 2 };
}

const unreadable = () => new LogoProblem("has a transform that isn't valid. Export it again.");

/** Reads a `transform` attribute. @throws LogoProblem */
export function readTransform(text: string, work: Work): Matrix {
  const scanner = new Scanner(text, work);
  let matrix = identity;
  for (scanner.take(/[\s,]*/y); !scanner.isAtEnd; scanner.take(/[\s,]*/y)) {
    const name = scanner.take(/[a-z]{1,12}/iy);
    scanner.skipSpace();
    if (name === undefined || name === "none") throw unreadable();
    if (scanner.take(/\(/y) === undefined) throw unreadable();
    scanner.skipSpace();
    const values = scanner.numbers();
    if (scanner.take(/\)/y) === undefined) throw unreadable();
    matrix = times(matrix, functionOf(name, values));
  }
  return matrix;
}

function functionOf(name: string, values: readonly number[]): Matrix {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  const is = (known: string, ...counts: number[]) => name === known && counts.includes(values.length);
  const angle = (a * Math.PI) / 180;
  if (is("matrix", 6)) return [a, b, c, d, e, f];
  if (is("translate", 1, 2)) return [1, 0, 0, 1, a, b];
  if (is("scale", 1, 2)) return [a, 0, 0, values.length === 1 ? a : b, 0, 0];
  if (is("skewX", 1)) return [1, 0, Math.tan(angle), 1, 0, 0];
  if (is("skewY", 1)) return [1, Math.tan(angle), 0, 1, 0, 0];
  if (!is("rotate", 1, 3)) throw unreadable();
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, b - cos * b + sin * c, c - sin * b - cos * c];
}
