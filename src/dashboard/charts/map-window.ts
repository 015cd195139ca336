/** A rectangle of squares of the map. */
export interface MapWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Squares in a row, from west to east. */
export interface Run {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The part of all scans that the window holds. */
const held = 0.95;
/** The narrowest window, as a part of the world. */
const narrowest = 1 / 8;
/** Width by height. */
const mostUpright = 1;

/**
 * The smallest window that holds nearly all scans, each country's spread over its squares. It begins with the world, and
 * gives up the edge with the fewest scans until another would be too many.
 */
export function windowOf(
  world: Size,
  countries: readonly { readonly runs: readonly Run[]; readonly scans: number }[],
): MapWindow {
  const squares = new Float64Array(world.width * world.height);
  const rows = new Float64Array(world.height);
  const columns = new Float64Array(world.width);
  let total = 0;
  for (const { runs, scans } of countries) {
    const each = scans / Math.max(1, squaresIn(runs));
    total += scans;
    for (const { x, y, length } of runs) {
      rows[y] = (rows[y] ?? 0) + each * length;
      for (let column = x; column < x + length; column += 1) {
        squares[y * world.width + column] = each;
        columns[column] = (columns[column] ?? 0) + each;
      }
    }
  }
  if (total === 0) return { x: 0, y: 0, ...world };
  let [left, right, top, bottom] = [0, world.width - 1, 0, world.height - 1];
  let spare = total * (1 - held);
  const at = (row: number, column: number) => squares[row * world.width + column] ?? 0;
  const dropRow = (row: number) => {
    for (let column = left; column <= right; column += 1)
      columns[column] = (columns[column] ?? 0) - at(row, column);
  };
  const dropColumn = (column: number) => {
    for (let row = top; row <= bottom; row += 1) rows[row] = (rows[row] ?? 0) - at(row, column);
  };
  for (;;) {
    const sides = left < right ? [columns[left], columns[right]] : [undefined, undefined];
    const ends = top < bottom ? [rows[top], rows[bottom]] : [undefined, undefined];
    // An edge that is the last of its kind stays. Sums that should be nothing may be a little less.
    const edges = [...sides, ...ends].map((sum = Number.POSITIVE_INFINITY) => Math.max(0, sum));
    const least = Math.min(...edges);
    if (least > spare) break;
    spare -= least;
    switch (edges.indexOf(least)) {
      case 0:
        dropColumn(left++);
        break;
      case 1:
        dropColumn(right--);
        break;
      case 2:
        dropRow(top++);
        break;
      default:
        dropRow(bottom--);
    }
  }
  return widened({ x: left, y: top, width: right - left + 1, height: bottom - top + 1 }, world);
}

const squaresIn = (runs: readonly Run[]) => runs.reduce((sum, { length }) => sum + length, 0);

/** The window with a margin, wide enough, and not much higher or wider than the drawing's place. */
function widened({ x, y, width, height }: MapWindow, world: Size): MapWindow {
  const margin = 1;
  const wide = Math.max(width + 2 * margin, world.width * narrowest, (height + 2 * margin) * mostUpright);
  const high = Math.max(height + 2 * margin, (wide * world.height) / world.width);
  const across = spanAround(x + width / 2, Math.ceil(wide), world.width);
  const down = spanAround(y + height / 2, Math.ceil(high), world.height);
  return { x: across.from, y: down.from, width: across.length, height: down.length };
}

/** So many squares around a middle, within the world. */
function spanAround(middle: number, wanted: number, most: number): { from: number; length: number } {
  const length = Math.min(wanted, most);
  return { from: Math.min(Math.max(0, Math.round(middle - length / 2)), most - length), length };
}
