type Point = readonly [x: number, y: number];

/** How many numbers each command of SVG path data takes. */
const argumentsOf: Readonly<Record<string, number>> = {
  ...{ M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 },
};

const token = /([a-z])|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/gi;

interface Command {
  readonly name: string;
  readonly isRelative: boolean;
  readonly values: readonly number[];
}

/** Yields the commands of path data with their numbers. Flags of arcs may be written together, as in `a1 1 0 112 2`. */
function* commandsOf(data: string): Generator<Command> {
  for (const [, letter = "", rest = ""] of data.matchAll(/([a-df-z])([^a-df-z]*)/gi)) {
    const upper = letter.toUpperCase();
    const count = argumentsOf[upper];
    if (count === undefined) throw new Error(`no path command: ${letter}`);
    const isRelative = letter !== upper;
    const values = upper === "A" ? arcValues(rest) : [...rest.matchAll(token)].map(([text]) => Number(text));
    if (count === 0) yield { name: upper, isRelative, values: [] };
    for (let from = 0; count > 0 && from + count <= values.length; from += count) {
      // Further pairs after a move are lines.
      const name = upper === "M" && from > 0 ? "L" : upper;
      yield { name, isRelative, values: values.slice(from, from + count) };
    }
  }
}

const number = String.raw`([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)[\s,]*`;
const arc = new RegExp(`${number.repeat(3)}([01])[\\s,]*([01])[\\s,]*${number.repeat(2)}`, "gi");

const arcValues = (text: string): number[] =>
  [...text.matchAll(arc)].flatMap((found) => found.slice(1).map(Number));

/**
 * Formats with at most four decimals, which is exact enough even at the size of a wall: a hundredth of a micrometre per
 * module.
 */
export const decimal = (value: number): string => {
  const text = value.toFixed(4);
  return text.includes(".") ? text.replace(/\.?0+$/, "").replace(/^-0$/, "0") : text;
};

const operator = (name: string, ...points: Point[]): string =>
  `${points.map(([x, y]) => `${decimal(x)} ${decimal(y)}`).join(" ")} ${name}\n`;

/** Converts SVG path data to PDF operators that construct the path; the caller paints it. */
export function pathOperators(data: string): string {
  let operators = "";
  let start: Point = [0, 0];
  let at: Point = [0, 0];
  /** The last control point of a curve and its kind, for a command that continues it. */
  let control: { readonly kind: "C" | "Q"; readonly point: Point } | undefined;

  const curve = (one: Point, two: Point, to: Point) => {
    operators += operator("c", one, two, to);
    at = to;
  };
  const quadratic = (point: Point, to: Point) => {
    const towards = ([x, y]: Point): Point => [x + (2 / 3) * (point[0] - x), y + (2 / 3) * (point[1] - y)];
    curve(towards(at), towards(to), to);
    control = { kind: "Q", point };
  };
  const line = (to: Point) => {
    operators += operator("l", to);
    at = to;
  };
  const mirrored = (kind: "C" | "Q"): Point =>
    control?.kind === kind ? [2 * at[0] - control.point[0], 2 * at[1] - control.point[1]] : at;

  for (const { name, isRelative, values } of commandsOf(data)) {
    const [originX, originY] = isRelative ? at : [0, 0];
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = values;
    const point = (x: number, y: number): Point => [originX + x, originY + y];
    const before = control;
    switch (name) {
      case "M":
        at = point(a, b);
        start = at;
        operators += operator("m", at);
        break;
      case "L":
        line(point(a, b));
        break;
      case "H":
        line([originX + a, at[1]]);
        break;
      case "V":
        line([at[0], originY + a]);
        break;
      case "C":
        curve(point(a, b), point(c, d), point(e, f));
        control = { kind: "C", point: point(c, d) };
        break;
      case "S":
        curve(mirrored("C"), point(a, b), point(c, d));
        control = { kind: "C", point: point(a, b) };
        break;
      case "Q":
        quadratic(point(a, b), point(c, d));
        break;
      case "T":
        quadratic(mirrored("Q"), point(a, b));
        break;
      case "A":
        for (const [one, two, to] of arcCurves(at, a, b, c, d === 1, e === 1, point(f, g)))
          curve(one, two, to);
        break;
      default:
        operators += "h\n";
        at = start;
    }
    if (control === before) control = undefined;
  }
  return operators;
}

/**
 * Converts an elliptical arc to Bézier curves of at most a quarter each, as in the SVG specification (appendix B.2.4).
 */
function arcCurves(
  from: Point,
  radiusX: number,
  radiusY: number,
  degrees: number,
  isLarge: boolean,
  isClockwise: boolean,
  to: Point,
): [Point, Point, Point][] {
  if (from[0] === to[0] && from[1] === to[1]) return [];
  if (radiusX === 0 || radiusY === 0) return [[from, to, to]];
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [dx, dy] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2];
  const [x, y] = [cos * dx + sin * dy, cos * dy - sin * dx];
  const grown = Math.max(1, Math.hypot(x / radiusX, y / radiusY));
  const [rx, ry] = [Math.abs(radiusX) * grown, Math.abs(radiusY) * grown];
  const lengths = (rx * y) ** 2 + (ry * x) ** 2;
  const root = Math.sqrt(Math.max(0, (rx * ry) ** 2 / lengths - 1)) * (isLarge === isClockwise ? -1 : 1);
  const [cx, cy] = [(root * rx * y) / ry, (-root * ry * x) / rx];
  const start = Math.atan2((y - cy) / ry, (x - cx) / rx);
  const end = Math.atan2((-y - cy) / ry, (-x - cx) / rx);
  const turn = 2 * Math.PI;
  const swept = (((isClockwise ? end - start : start - end) % turn) + turn) % turn;
  const sweep = isClockwise ? swept : -swept;

  const [middleX, middleY] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const onPage = (px: number, py: number): Point => [
    middleX + cos * (px + cx) - sin * (py + cy),
    middleY + sin * (px + cx) + cos * (py + cy),
  ];
  const count = Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-6);
  const step = sweep / count;
  const handle = (4 / 3) * Math.tan(step / 4);
  return Array.from({ length: count }, (_, index) => {
    const [one, two] = [start + index * step, start + (index + 1) * step];
    return [
      onPage(rx * (Math.cos(one) - handle * Math.sin(one)), ry * (Math.sin(one) + handle * Math.cos(one))),
      onPage(rx * (Math.cos(two) + handle * Math.sin(two)), ry * (Math.sin(two) - handle * Math.cos(two))),
      index === count - 1 ? to : onPage(rx * Math.cos(two), ry * Math.sin(two)),
    ];
  });
}
