import type { Point } from "./matrix.ts";

/**
 * Converts an elliptical arc to Bézier curves of at most a quarter each, as in the SVG specification (appendix B.2.4).
 */
export function arcCurves(
  from: Point,
  [radiusX, radiusY]: Point,
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
