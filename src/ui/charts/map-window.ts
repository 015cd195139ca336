/** A rectangle of squares of the map. */
export interface MapWindow {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Consecutive squares in a row, from west to east. */
export interface Run {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The share of all scans that the window contains. */
const held = 0.95;
/** The share that it may contain instead, if that makes it much smaller, by leaving out a single distant country. */
const heldAtLeast = 0.85;
/** How large the smaller window may be, relative to the larger one's area. */
const muchSmaller = 1 / 3;
/** The minimum width of the window, relative to the world. */
const narrowest = 1 / 8;
/** Width by height, matching the space for the drawing, and at least square. Only the world is wider. */
const shape = 5 / 4;
const mostUpright = 1;
/** The margin around the scans, relative to the longer side. */
const margin = 1 / 16;

interface PlacedScans {
  readonly runs: readonly Run[];
  readonly scans: number;
}

/**
 * Returns the smallest window with nearly all scans, spreading each country's over its squares. Leaves out a few
 * distant countries if they would make it mostly empty. The search starts with the bounding rectangle and repeatedly
 * drops the edge with the fewest scans, until too many would be lost.
 */
export function windowOf(world: Size, countries: readonly PlacedScans[]): MapWindow {
  const all = new Field(countries.filter(({ scans, runs }) => scans > 0 && runs.length > 0));
  if (all.total === 0) return { x: 0, y: 0, ...world };
  all.shrink(held);
  const nearlyAll = widened(all.rectangle, world);
  all.shrink(heldAtLeast);
  const most = widened(all.rectangle, world);
  return areaOf(most) <= areaOf(nearlyAll) * muchSmaller ? most : nearlyAll;
}

const areaOf = ({ width, height }: Size): number => width * height;

/** Scans by square, in a rectangle that can shrink. */
class Field {
  readonly total: number;
  readonly #x: number;
  readonly #y: number;
  readonly #width: number;
  readonly #squares: Float64Array;
  /** Scans of each column and row within the rectangle. */
  readonly #columns: Float64Array;
  readonly #rows: Float64Array;
  /** The edges of the remaining rectangle, inclusive. */
  #left = 0;
  #right: number;
  #top = 0;
  #bottom: number;
  #kept: number;

  constructor(countries: readonly PlacedScans[]) {
    const runs = countries.flatMap((country) => country.runs);
    this.#x = Math.min(...runs.map(({ x }) => x));
    this.#y = Math.min(...runs.map(({ y }) => y));
    this.#width = Math.max(0, ...runs.map(({ x, length }) => x + length - this.#x));
    const height = Math.max(0, ...runs.map(({ y }) => y + 1 - this.#y));
    this.#right = this.#width - 1;
    this.#bottom = height - 1;
    this.#squares = new Float64Array(this.#width * height);
    this.#columns = new Float64Array(this.#width);
    this.#rows = new Float64Array(height);
    for (const country of countries) {
      const each = country.scans / squaresIn(country.runs);
      for (const { x, y, length } of country.runs) {
        for (let column = x - this.#x; column < x - this.#x + length; column += 1) {
          this.#squares[(y - this.#y) * this.#width + column] = each;
          add(this.#columns, column, each);
        }
        add(this.#rows, y - this.#y, each * length);
      }
    }
    this.total = countries.reduce((sum, { scans }) => sum + scans, 0);
    this.#kept = this.total;
  }

  get rectangle(): MapWindow {
    const [width, height] = [this.#right - this.#left + 1, this.#bottom - this.#top + 1];
    return { x: this.#x + this.#left, y: this.#y + this.#top, width, height };
  }

  /** Drops edges as long as the given share of all scans is kept. */
  shrink(part: number): void {
    for (;;) {
      // The last column or row stays. Due to rounding, empty sums may be slightly negative.
      const sides = this.#left < this.#right ? [this.#columns[this.#left], this.#columns[this.#right]] : none;
      const ends = this.#top < this.#bottom ? [this.#rows[this.#top], this.#rows[this.#bottom]] : none;
      const edges = [...sides, ...ends].map((sum = Number.POSITIVE_INFINITY) => Math.max(0, sum));
      const least = Math.min(...edges);
      if (this.#kept - least < this.total * part) return;
      this.#kept -= least;
      switch (edges.indexOf(least)) {
        case 0:
          this.#dropColumn(this.#left++);
          break;
        case 1:
          this.#dropColumn(this.#right--);
          break;
        case 2:
          this.#dropRow(this.#top++);
          break;
        default:
          this.#dropRow(this.#bottom--);
      }
    }
  }

  #dropColumn(column: number): void {
    for (let row = this.#top; row <= this.#bottom; row += 1) add(this.#rows, row, -this.#at(row, column));
  }

  #dropRow(row: number): void {
    for (let column = this.#left; column <= this.#right; column += 1) {
      add(this.#columns, column, -this.#at(row, column));
    }
  }

  #at = (row: number, column: number): number => this.#squares[row * this.#width + column] ?? 0;
}

const none = [undefined, undefined];

function add(sums: Float64Array, index: number, scans: number): void {
  sums[index] = (sums[index] ?? 0) + scans;
}

const squaresIn = (runs: readonly Run[]) => runs.reduce((sum, { length }) => sum + length, 0);

/** Adds a margin and a minimum width, in the shape of the space for the drawing as far as the world allows. */
function widened({ x, y, width, height }: MapWindow, world: Size): MapWindow {
  const around = 2 * Math.max(1, Math.ceil(Math.max(width, height) * margin));
  const wide = Math.max(width + around, world.width * narrowest, (height + around) * mostUpright);
  const high = Math.max(height + around, wide / shape);
  const across = spanAround(x + width / 2, Math.ceil(wide), world.width);
  const down = spanAround(y + height / 2, Math.ceil(high), world.height);
  return { x: across.from, y: down.from, width: across.length, height: down.length };
}

/** Returns a span around a middle, within the world. */
function spanAround(middle: number, wanted: number, most: number): { from: number; length: number } {
  const length = Math.min(wanted, most);
  return { from: Math.min(Math.max(0, Math.round(middle - length / 2)), most - length), length };
}
