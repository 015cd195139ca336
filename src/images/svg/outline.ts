import { limits } from "../../contract/limits.ts";
import type { LogoOutline } from "../../lib/image/logo-drawing.ts";
import { arcCurves } from "./arc.ts";
import { type Matrix, type Point, transformed } from "./matrix.ts";
import { Scanner } from "./scanner.ts";
import { LogoProblem, Work } from "./work.ts";

/** An area with its edges parallel to the axes. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Builds an outline from the commands of SVG path data, with absolute coordinates. */
export class OutlineBuilder {
  readonly #most: number;
  #segments = "";
  readonly #points: number[] = [];
  #start: Point = [0, 0];
  at: Point = [0, 0];

  /** @param most segments */
  constructor(most: number) {
    this.#most = most;
  }

  get outline(): LogoOutline {
    return { segments: this.#segments, points: this.#points };
  }

  move(to: Point): void {
    this.#add("M", to);
    this.#start = to;
  }

  line(to: Point): void {
    this.#add("L", to);
  }

  curve(one: Point, two: Point, to: Point): void {
    this.#add("C", one, two, to);
  }

  quadratic(control: Point, to: Point): void {
    const towards = ([x, y]: Point): Point => [
      x + (2 / 3) * (control[0] - x),
      y + (2 / 3) * (control[1] - y),
    ];
    this.curve(towards(this.at), towards(to), to);
  }

  arc(radii: Point, degrees: number, isLarge: boolean, isClockwise: boolean, to: Point): void {
    for (const curve of arcCurves(this.at, radii, degrees, isLarge, isClockwise, to)) this.curve(...curve);
  }

  close(): void {
    this.#segments += "Z";
    this.at = this.#start;
  }

  #add(segment: string, ...points: Point[]): void {
    this.#segments += segment;
    if (this.#segments.length > this.#most) throw tooManySegments();
    for (const [x, y] of points) this.#points.push(x, y);
    this.at = points.at(-1) ?? this.at;
  }
}

export const tooManySegments = () =>
  new LogoProblem(`can have at most ${limits.logo.segments} lines and curves. Simplify its paths.`);

/** How many numbers each command of path data takes. */
const argumentsOf: Readonly<Record<string, number>> = {
  ...{ M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 },
};

/**
 * Reads SVG path data. As SVG demands, an outline ends where the data stops making sense.
 * @param most segments; by default, those of this service's own drawings
 */
export function readPathData(
  data: string,
  work: Work = new Work(data.length),
  most: number = Number.POSITIVE_INFINITY,
): LogoOutline {
  const scanner = new Scanner(data, work);
  const path = new PathReader(most);
  scanner.skipSpace();
  for (let isFirst = true; ; isFirst = false) {
    const letter = scanner.take(/[a-z]/iy) ?? "";
    const count = argumentsOf[letter.toUpperCase()];
    if (count === undefined || (isFirst && letter.toUpperCase() !== "M")) break;
    scanner.take(/[\s,]*/y);
    let values = valuesOf(scanner, letter, count);
    if (values === undefined) break;
    path.add(letter, values);
    while (count > 0) {
      values = valuesOf(scanner, letter, count);
      if (values === undefined) break;
      // Further pairs after a move are lines.
      path.add(letter === "M" ? "L" : letter === "m" ? "l" : letter, values);
    }
  }
  return path.builder.outline;
}

/** Takes a command's numbers; undefined if they aren't complete. */
function valuesOf(scanner: Scanner, letter: string, count: number): number[] | undefined {
  const values: number[] = [];
  const isArc = letter === "A" || letter === "a";
  while (values.length < count) {
    const isFlag = isArc && (values.length === 3 || values.length === 4);
    const value = isFlag ? scanner.flag() : scanner.number();
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

/** Makes the commands of path data absolute. */
class PathReader {
  readonly builder: OutlineBuilder;
  /** The last control point of a curve and its kind, for a command that continues it. */
  #control: { readonly kind: "C" | "Q"; readonly point: Point } | undefined;

  constructor(most: number) {
    this.builder = new OutlineBuilder(most);
  }

  add(letter: string, [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0]: readonly number[]): void {
    const name = letter.toUpperCase();
    const { builder } = this;
    const { at } = builder;
    const [originX, originY] = letter === name ? [0, 0] : at;
    const point = (x: number, y: number): Point => [originX + x, originY + y];
    const before = this.#control;
    if (name === "M") builder.move(point(a, b));
    else if (name === "L") builder.line(point(a, b));
    else if (name === "H") builder.line([originX + a, at[1]]);
    else if (name === "V") builder.line([at[0], originY + a]);
    else if (name === "C") this.#cubic(point(a, b), point(c, d), point(e, f));
    else if (name === "S") this.#cubic(this.#mirrored("C", at), point(a, b), point(c, d));
    else if (name === "Q") this.#quadratic(point(a, b), point(c, d));
    else if (name === "T") this.#quadratic(this.#mirrored("Q", at), point(a, b));
    else if (name === "A") builder.arc([a, b], c, d === 1, e === 1, point(f, g));
    else builder.close();
    if (this.#control === before) this.#control = undefined;
  }

  #cubic(one: Point, two: Point, to: Point): void {
    this.builder.curve(one, two, to);
    this.#control = { kind: "C", point: two };
  }

  #quadratic(control: Point, to: Point): void {
    this.builder.quadratic(control, to);
    this.#control = { kind: "Q", point: control };
  }

  #mirrored(kind: "C" | "Q", at: Point): Point {
    const last = this.#control;
    return last?.kind === kind ? [2 * at[0] - last.point[0], 2 * at[1] - last.point[1]] : at;
  }
}

/** Returns an outline after a transformation. */
export function transformedOutline({ segments, points }: LogoOutline, matrix: Matrix): LogoOutline {
  const moved: number[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) {
    moved.push(...transformed(matrix, [points[at] ?? 0, points[at + 1] ?? 0]));
  }
  return { segments, points: moved };
}

/** Calls back with each segment's name and its points: where it starts, its controls and its end. */
export function eachSegment(
  { segments, points }: LogoOutline,
  visit: (segment: string, points: readonly Point[]) => void,
): void {
  let at = 0;
  let last: Point = [0, 0];
  let start: Point = [0, 0];
  const next = (): Point => {
    at += 2;
    return [points[at - 2] ?? 0, points[at - 1] ?? 0];
  };
  for (const segment of segments) {
    const from = last;
    const added = segment === "Z" ? [start] : segment === "C" ? [next(), next(), next()] : [next()];
    visit(segment, [from, ...added]);
    last = added.at(-1) ?? last;
    if (segment === "M") start = last;
  }
}

/** Returns the area that an outline takes; undefined for one without points. */
export function areaOf(outline: LogoOutline): Area | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const include = (x: number, y: number) => {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  };
  eachSegment(outline, (segment, points) => {
    const [from, one, two, to] = points;
    const end = points.at(-1);
    if (end !== undefined) include(...end);
    if (segment !== "C" || from === undefined || one === undefined || two === undefined || to === undefined)
      return;
    for (const axis of [0, 1] as const) {
      for (const t of extremes(from[axis], one[axis], two[axis], to[axis])) {
        include(pointAt(t, from[0], one[0], two[0], to[0]), pointAt(t, from[1], one[1], two[1], to[1]));
      }
    }
  });
  return left <= right && top <= bottom ? { left, top, right, bottom } : undefined;
}

const pointAt = (t: number, a: number, b: number, c: number, d: number): number =>
  (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;

/** Returns where a curve turns on one axis, between its ends. */
function extremes(a: number, b: number, c: number, d: number): number[] {
  const [square, linear, constant] = [-a + 3 * b - 3 * c + d, 2 * (a - 2 * b + c), b - a];
  const root = Math.sqrt(linear ** 2 - 4 * square * constant);
  const found =
    Math.abs(square) < 1e-9
      ? [-constant / linear]
      : [(-linear + root) / (2 * square), (-linear - root) / (2 * square)];
  return found.filter((t) => t > 0 && t < 1);
}
