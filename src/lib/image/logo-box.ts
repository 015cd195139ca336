import type { QrSymbol } from "./qr-symbol.ts";

/** A rectangle, in modules from the symbol's upper left corner. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a logo stands. */
export interface Place {
  /** What is kept free of modules: whole ones, in the symbol's middle. */
  readonly box: Area;
  /** What the logo fills of it. */
  readonly logo: Area;
}

/** Modules of air between the logo and the box's edge, at least. */
const air = 1;

/** Of the symbol's side, as wide and as high as a box may be: so that it stays off the patterns readers look for. */
const maxSide = 0.4;

/**
 * The place in which a logo is largest.
 * @param side modules of the symbol's side
 * @param share what the box may cover of the symbol's modules, at most
 * @param ratio the logo's width over its height
 */
export function placeLogo(side: number, share: number, ratio: number): Place {
  let best: Place | undefined;
  // A symbol's side is odd, so that only odd boxes are in its middle.
  for (let width = 3; width <= side * maxSide; width += 2) {
    for (let height = 3; height <= side * maxSide && width * height <= side * side * share; height += 2) {
      const box = inMiddle(side, width, height);
      const logoWidth = Math.min(width - 2 * air, (height - 2 * air) * ratio);
      const place = { box, logo: inMiddle(side, logoWidth, logoWidth / ratio) };
      if (best === undefined || isBetter(place, best)) best = place;
    }
  }
  if (best === undefined) throw new Error("no room for a logo");
  return best;
}

const inMiddle = (side: number, width: number, height: number): Area => ({
  x: (side - width) / 2,
  y: (side - height) / 2,
  width,
  height,
});

const sizeOf = ({ width, height }: Area): number => width * height;

/** A larger logo, or as large a one in a smaller box. */
function isBetter(one: Place, other: Place): boolean {
  const gain = sizeOf(one.logo) - sizeOf(other.logo);
  return gain > 0 || (gain === 0 && sizeOf(one.box) < sizeOf(other.box));
}

/** The symbol without the modules in an area. */
export function cleared(symbol: QrSymbol, { x, y, width, height }: Area): QrSymbol {
  return {
    side: symbol.side,
    at: (column, row) =>
      column >= x && column < x + width && row >= y && row < y + height ? "light" : symbol.at(column, row),
  };
}
