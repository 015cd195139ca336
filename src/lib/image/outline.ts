import { type Corner, polygon } from "./path.ts";

/** Steps right, down, left and up: the edges of a filled cell, clockwise. */
const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** The radii of an outline's corners. */
interface Rounding {
  /** For convex corners. */
  readonly outer: number;
  /** For concave corners, where two cells meet. */
  readonly inner: number;
}

/**
 * Returns the outline of a grid's filled cells as SVG path data, one unit per cell. Neighbouring cells become one area,
 * so that no renderer leaves a seam between them.
 * @param side cells per side
 */
export function outline(
  side: number,
  isFilled: (x: number, y: number) => boolean,
  rounding: Rounding = { outer: 0, inner: 0 },
): string {
  const stride = side + 1;
  /** The directions in which edges start at each corner of the grid, as bits. */
  const edges = new Uint8Array(stride * stride);
  const filled = (x: number, y: number) => x >= 0 && y >= 0 && x < side && y < side && isFilled(x, y);
  const addEdge = (x: number, y: number, direction: number) => {
    const corner = y * stride + x;
    edges[corner] = (edges[corner] ?? 0) | (1 << direction);
  };
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      if (!filled(x, y)) continue;
      if (!filled(x, y - 1)) addEdge(x, y, 0);
      if (!filled(x + 1, y)) addEdge(x + 1, y, 1);
      if (!filled(x, y + 1)) addEdge(x + 1, y + 1, 2);
      if (!filled(x - 1, y)) addEdge(x, y + 1, 3);
    }
  }
  let path = "";
  for (const corner of edges.keys()) {
    while (edges[corner] !== 0) path += polygon(loop(edges, stride, corner, rounding));
  }
  return path;
}

/** Follows and removes the edges from a corner back to it. @returns the corners on the way */
function loop(edges: Uint8Array, stride: number, start: number, { outer, inner }: Rounding): Corner[] {
  const corners: Corner[] = [];
  const first = [0, 1, 2, 3].find((way) => hasEdge(edges, start, way)) ?? 0;
  let corner = start;
  let direction = first;
  do {
    edges[corner] = (edges[corner] ?? 0) & ~(1 << direction);
    const [dx, dy] = steps[direction] ?? [0, 0];
    corner += dx + dy * stride;
    // Turns right first, so that two areas that touch at a corner get separate outlines.
    const turns = [1, 0, 3];
    const turn =
      corner === start
        ? (first - direction + 4) % 4
        : turns.find((each) => hasEdge(edges, corner, (direction + each) % 4));
    if (turn === 1 || turn === 3) {
      corners.push({
        x: corner % stride,
        y: Math.floor(corner / stride),
        radius: turn === 1 ? outer : inner,
      });
    }
    direction = (direction + (turn ?? 0)) % 4;
  } while (corner !== start);
  // In the order from the start.
  return [...corners.slice(-1), ...corners.slice(0, -1)];
}

const hasEdge = (edges: Uint8Array, corner: number, direction: number): boolean =>
  ((edges[corner] ?? 0) & (1 << direction)) !== 0;
