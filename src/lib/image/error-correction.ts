export const levels = ["L", "M", "Q", "H"] as const;
export type Level = (typeof levels)[number];

/** The layout of the symbols of a version. */
export interface Layout {
  readonly version: number;
  /** Modules per side. */
  readonly side: number;
  /** Codewords of data and error correction. */
  readonly codewords: number;
  /** The codeword of each module, row by row; -1 for modules of patterns and of the format's description. */
  readonly codewordAt: Int16Array;
}

/** @param isData whether a position holds data or error correction */
export function layoutOf(version: number, side: number, isData: (x: number, y: number) => boolean): Layout {
  const codewordAt = new Int16Array(side * side).fill(-1);
  let bits = 0;
  for (const [x, y] of readingOrder(side)) {
    if (!isData(x, y)) continue;
    codewordAt[y * side + x] = bits >> 3;
    bits += 1;
  }
  return { version, side, codewords: bits >> 3, codewordAt };
}

/** Table 9 of ISO/IEC 18004, for versions 1 to 40. */
const table = (text: string): readonly number[] => text.split(" ").map(Number);

/** Error correction codewords per block, which can restore half as many wrong ones. */
const correctionPerBlock: Readonly<Record<Level, readonly number[]>> = {
  L: table(
    "7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
  ),
  M: table(
    "10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26 26 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28",
  ),
  Q: table(
    "13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30 28 30 30 30 30 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
  ),
  H: table(
    "17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28 30 24 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
  ),
};

/** Blocks per symbol, whose codewords are interleaved. */
const blockCounts: Readonly<Record<Level, readonly number[]>> = {
  L: table(
    "1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25",
  ),
  M: table(
    "1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16 17 17 18 20 21 23 25 26 28 29 31 33 35 37 38 40 43 45 47 49",
  ),
  Q: table(
    "1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20 23 23 25 27 29 34 34 35 38 40 43 45 48 51 53 56 59 62 65 68",
  ),
  H: table(
    "1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25 25 34 30 32 35 37 40 42 45 48 51 54 57 60 63 66 70 74 77 81",
  ),
};

/** The share of a block's correction capacity that covered modules may use. The rest is for dirt and wear. */
const usableShare = 0.9;

/** Codewords of data that symbols of a version and level hold. */
export const dataCodewords = ({ version, codewords }: Layout, level: Level): number =>
  codewords - blocksOf(version, level) * correctionOf(version, level);

const blocksOf = (version: number, level: Level): number => blockCounts[level][version - 1] ?? 1;
const correctionOf = (version: number, level: Level): number => correctionPerBlock[level][version - 1] ?? 0;

/**
 * Returns whether symbols stay readable with some modules covered, whatever they hold: error correction must restore
 * every codeword that is covered even in part, in each block, and keep a reserve.
 */
export function restores(
  { version, side, codewords: total, codewordAt }: Layout,
  level: Level,
  coveredModules: Iterable<readonly [x: number, y: number]>,
): boolean {
  const blocks = blocksOf(version, level);
  const correction = correctionOf(version, level);
  const usable = Math.floor((correction / 2) * usableShare);
  // The last blocks have one codeword of data more.
  const longBlocks = total % blocks;
  const interleaved = (Math.floor(total / blocks) - correction) * blocks;
  const covered = new Array<number>(blocks).fill(0);
  const hidden = new Set<number>();
  for (const [x, y] of coveredModules) {
    const i = codewordAt[y * side + x] ?? -1;
    if (i < 0 && describesSymbol(x, y, side)) return false;
    // The bits that are left over at the end belong to no codeword.
    if (i < 0 || i >= total || hidden.has(i)) continue;
    hidden.add(i);
    const isExtra = i >= interleaved && i < interleaved + longBlocks;
    const position =
      i < interleaved ? i : isExtra ? i - interleaved + blocks - longBlocks : i - interleaved - longBlocks;
    const count = (covered[position % blocks] ?? 0) + 1;
    if (count > usable) return false;
    covered[position % blocks] = count;
  }
  return true;
}

/**
 * Yields a symbol's positions in the order of its bits: two columns at a time from the right, alternately up and down.
 */
function* readingOrder(side: number): Generator<readonly [x: number, y: number]> {
  for (let pair = 0; pair < (side - 1) / 2; pair += 1) {
    // Skips the column of the timing pattern.
    const right = side - 1 - 2 * pair - (side - 1 - 2 * pair <= 6 ? 1 : 0);
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < side; step += 1) {
      const y = isUpward ? side - 1 - step : step;
      yield [right, y];
      yield [right - 1, y];
    }
  }
}

/** Returns whether a position is in a finder pattern's corner, which also holds level and mask: nothing restores those. */
const describesSymbol = (x: number, y: number, side: number): boolean =>
  (x < 9 && (y < 9 || y >= side - 8)) || (y < 9 && x >= side - 8);
