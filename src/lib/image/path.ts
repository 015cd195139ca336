/** Formats a number as briefly as SVG allows, with at most three decimals. */
export const short = (value: number): string =>
  String(Math.round(value * 1000) / 1000).replace(/^(-?)0\./, "$1.");

/** Joins a command's arguments. A minus sign needs no space before it, nor does a second decimal point. */
export const args = (...values: readonly number[]): string => {
  let text = "";
  for (const value of values) {
    const next = short(value);
    const joins = text === "" || next.startsWith("-") || (next.startsWith(".") && /\.\d*$/.test(text));
    text += joins ? next : ` ${next}`;
  }
  return text;
};

/** A point, in modules. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A corner of a shape. */
export interface Corner extends Point {
  /** Where its arc or cut begins, as the distance from the corner; 0 for a sharp corner. */
  readonly radius: number;
  /** Whether the corner is cut off straight instead of rounded. */
  readonly isCut?: boolean | undefined;
}

/** Draws a closed shape of straight edges with rounded or cut corners. */
export function polygon(corners: readonly Corner[]): string {
  let path = "";
  let at: Point = { x: 0, y: 0 };
  const moveTo = (next: Point, draw: (dx: number, dy: number) => string) => {
    const [dx, dy] = [next.x - at.x, next.y - at.y];
    if (Math.abs(dx) + Math.abs(dy) > 1e-9) path += draw(dx, dy);
    at = next;
  };
  const line = (dx: number, dy: number) => {
    if (Math.abs(dy) < 1e-9) return `h${short(dx)}`;
    return Math.abs(dx) < 1e-9 ? `v${short(dy)}` : `l${args(dx, dy)}`;
  };
  for (const [i, corner] of corners.entries()) {
    const before = corners.at(i - 1) ?? corner;
    const after = corners[(i + 1) % corners.length] ?? corner;
    const { radius, isCut = false } = corner;
    const start = towards(corner, before, radius);
    const end = towards(corner, after, radius);
    if (i === 0) {
      path = `M${args(start.x, start.y)}`;
      at = start;
    }
    moveTo(start, line);
    if (radius === 0) continue;
    const turn = (corner.x - before.x) * (after.y - corner.y) - (corner.y - before.y) * (after.x - corner.x);
    moveTo(end, isCut ? line : (dx, dy) => `a${args(radius, radius, 0, 0, turn > 0 ? 1 : 0, dx, dy)}`);
  }
  return `${path}z`;
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return from;
  return {
    x: from.x + ((to.x - from.x) * distance) / length,
    y: from.y + ((to.y - from.y) * distance) / length,
  };
}

/** A value for each corner of a box: upper left, upper right, lower right and lower left. */
export type Corners<T> = readonly [T, T, T, T];

/** A box with a radius at each corner. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
  readonly radii?: Corners<number> | number | undefined;
  readonly isCut?: boolean | undefined;
  /** Whether it is drawn in the opposite direction, which makes it a hole in the area around it. */
  readonly isHole?: boolean | undefined;
}

/** Returns a box as a path. */
export function box({ x, y, width, height, radii = 0, isCut, isHole = false }: Box): string {
  const [a, b, c, d] = typeof radii === "number" ? [radii, radii, radii, radii] : radii;
  const corners = [
    { x, y, radius: a, isCut },
    { x: x + width, y, radius: b, isCut },
    { x: x + width, y: y + height, radius: c, isCut },
    { x, y: y + height, radius: d, isCut },
  ];
  return polygon(isHole ? corners.toReversed() : corners);
}

/** Returns a circle as a path. */
export function circle(center: Point, radius: number): string {
  const arc = (dx: number) => `a${args(radius, radius, 0, 1, 1, dx, 0)}`;
  return `M${args(center.x - radius, center.y)}${arc(2 * radius)}${arc(-2 * radius)}z`;
}
