/** Steps right, down, left and up: the edges of a filled cell, clockwise. */
const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/**
 * The outline of a grid's filled cells as SVG path data, one unit per cell. Neighbouring cells become one area, so that
 * no renderer leaves a seam between them.
 * @param side cells per side
 */
export function outline(side: number, isFilled: (x: number, y: number) => boolean): string {
  const stride = side + 1;
  /** For each corner of the grid, a bit for each direction in which an edge starts there. */
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
    while (edges[corner] !== 0) path += loop(edges, stride, corner);
  }
  return path;
}

/** Follows the edges from a corner back to it, removing each. */
function loop(edges: Uint8Array, stride: number, start: number): string {
  let path = `M${start % stride} ${Math.floor(start / stride)}`;
  let corner = start;
  let direction = [0, 1, 2, 3].find((way) => hasEdge(edges, corner, way)) ?? 0;
  let length = 0;
  do {
    edges[corner] = (edges[corner] ?? 0) & ~(1 << direction);
    const [dx, dy] = steps[direction] ?? [0, 0];
    corner += dx + dy * stride;
    length += 1;
    // Turn right first, so that two areas that touch at a corner get an outline each.
    const next = [1, 0, 3].map((turn) => (direction + turn) % 4).find((way) => hasEdge(edges, corner, way));
    if (next !== direction && corner !== start) {
      path += pathRun(direction, length);
      length = 0;
    }
    direction = next ?? direction;
  } while (corner !== start);
  return `${path}z`;
}

const hasEdge = (edges: Uint8Array, corner: number, direction: number): boolean =>
  ((edges[corner] ?? 0) & (1 << direction)) !== 0;

function pathRun(direction: number, length: number): string {
  const signed = direction < 2 ? length : -length;
  return `${direction % 2 === 0 ? "h" : "v"}${signed}`;
}
