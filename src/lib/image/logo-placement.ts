import type { QrSymbol } from "./qr-symbol.ts";

/** A rectangle, in modules from the symbol's upper left corner. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The place of a logo in a symbol. */
export interface Place {
  /** The area kept free of modules: whole modules in the symbol's centre. */
  readonly box: Area;
  /** The logo's own area inside the box. */
  readonly logo: Area;
}

/** The least padding between the logo and the edge of its box, in modules. */
const padding = 1;

/** The largest box, as a share of the symbol's side: small enough to stay clear of the finder patterns. */
const maxSide = 0.4;

/**
 * The place where a logo is as large as possible.
 * @param side modules per side of the symbol
 * @param share the largest share of the symbol's modules that the box may cover
 * @param ratio the logo's width divided by its height
 */
export function placeLogo(side: number, share: number, ratio: number): Place {
  let best: Place | undefined;
  // A symbol's side is odd, so only boxes of odd width and height can be centred.
  for (let width = 3; width <= side * maxSide; width += 2) {
    for (let height = 3; height <= side * maxSide && width * height <= side * side * share; height += 2) {
      const box = centred(side, width, height);
      const logoWidth = Math.min(width - 2 * padding, (height - 2 * padding) * ratio);
      const place = { box, logo: centred(side, logoWidth, logoWidth / ratio) };
      if (best === undefined || isBetter(place, best)) best = place;
    }
  }
  if (best === undefined) throw new Error("the symbol is too small for a logo");
  return best;
}

const centred = (side: number, width: number, height: number): Area => ({
  x: (side - width) / 2,
  y: (side - height) / 2,
  width,
  height,
});

const areaSize = ({ width, height }: Area): number => width * height;

/** Whether a place has a larger logo, or an equally large one in a smaller box. */
function isBetter(one: Place, other: Place): boolean {
  const gain = areaSize(one.logo) - areaSize(other.logo);
  return gain > 0 || (gain === 0 && areaSize(one.box) < areaSize(other.box));
}

/** The symbol without the modules of an area. */
export function clearArea(symbol: QrSymbol, { x, y, width, height }: Area): QrSymbol {
  return {
    side: symbol.side,
    at: (column, row) =>
      column >= x && column < x + width && row >= y && row < y + height ? "light" : symbol.at(column, row),
  };
}
