import type { Size } from "./sheets.ts";

/** Degrees by which a page can be turned clockwise. */
export type Turn = 0 | 90 | 180 | 270;

/** A turned page: its size, and the matrix (as in SVG) that moves the original's content onto it. */
export interface TurnedPage extends Size {
  readonly matrix: readonly [a: number, b: number, c: number, d: number, e: number, f: number];
}

/** Turns a page clockwise. */
export function turnedPage({ width, height }: Size, turn: Turn): TurnedPage {
  switch (turn) {
    case 0:
      return { width, height, matrix: [1, 0, 0, 1, 0, 0] };
    case 90:
      return { width: height, height: width, matrix: [0, 1, -1, 0, height, 0] };
    case 180:
      return { width, height, matrix: [-1, 0, 0, -1, width, height] };
    case 270:
      return { width: height, height: width, matrix: [0, -1, 1, 0, 0, width] };
  }
}
