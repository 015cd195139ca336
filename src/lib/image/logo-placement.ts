import type { LogoLayout } from "./design.ts";

/** A rectangle, in modules from the symbol's upper left corner. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The place of a logo in a symbol. */
export interface Place {
  /** The logo's own area. */
  readonly logo: Area;
  /** The area of the logo with its padding, in whole modules at the symbol's centre. */
  readonly box: Area;
  readonly cutout: LogoLayout["cutout"];
  /** The radius of a round cutout, including padding, from the symbol's centre. */
  readonly radius: number;
}

/**
 * The largest share of a code's modules that a logo without a chosen size may cover. Error correction H then restores
 * every block of codewords, with a reserve for dirt.
 */
const maxLogoShare = 1 / 8;

/** The largest box of such a logo, relative to the symbol's side: small enough to stay clear of the finder patterns. */
const maxSide = 0.4;

/**
 * Places a logo, in the chosen size or as large as possible.
 * @param side modules per side of the symbol
 * @param ratio the logo's width divided by its height
 */
export function placeLogo(side: number, ratio: number, { size, padding, cutout }: LogoLayout): Place {
  if (size === undefined) {
    const place = largestPlace(side, ratio, padding);
    return { ...place, cutout, radius: Math.max(place.logo.width, place.logo.height) / 2 + padding };
  }
  const longer = size * side;
  const logo = ratio > 1 ? centred(side, longer, longer / ratio) : centred(side, longer * ratio, longer);
  const whole = (length: number) => 2 * Math.ceil((length + 2 * padding - 1) / 2) + 1;
  return {
    logo,
    box: centred(side, whole(logo.width), whole(logo.height)),
    cutout,
    radius: longer / 2 + padding,
  };
}

function largestPlace(side: number, ratio: number, padding: number): Pick<Place, "logo" | "box"> {
  const placeIn = (width: number, height: number) => {
    const logoWidth = Math.min(width - 2 * padding, (height - 2 * padding) * ratio);
    return { box: centred(side, width, height), logo: centred(side, logoWidth, logoWidth / ratio) };
  };
  const least = 2 * Math.ceil(padding) + 1;
  // In a symbol that is too small for it, error correction says so.
  let best = placeIn(least, least);
  // A symbol's side is odd, so only boxes of odd width and height can be centred.
  for (let width = least; width <= side * maxSide; width += 2) {
    for (
      let height = least;
      height <= side * maxSide && width * height <= side * side * maxLogoShare;
      height += 2
    ) {
      const place = placeIn(width, height);
      if (isBetter(place, best)) best = place;
    }
  }
  return best;
}

const centred = (side: number, width: number, height: number): Area => ({
  x: (side - width) / 2,
  y: (side - height) / 2,
  width,
  height,
});

const areaSize = ({ width, height }: Area): number => width * height;

/** Returns whether a placement has a larger logo, or an equally large one in a smaller box. */
function isBetter(one: Pick<Place, "logo" | "box">, other: Pick<Place, "logo" | "box">): boolean {
  const gain = areaSize(one.logo) - areaSize(other.logo);
  return gain > 0 || (gain === 0 && areaSize(one.box) < areaSize(other.box));
}

/** Returns whether a module is at least partly under the logo or its padding. @param side of the symbol */
export function isCovered({ logo, box, cutout, radius }: Place, side: number, x: number, y: number): boolean {
  if (cutout !== "circle") {
    const area = cutout === "none" ? logo : box;
    return x + 1 > area.x && x < area.x + area.width && y + 1 > area.y && y < area.y + area.height;
  }
  const nearest = (position: number) => Math.max(0, Math.abs(position + 0.5 - side / 2) - 0.5);
  return Math.hypot(nearest(x), nearest(y)) < radius;
}

/** The modules that lie under a logo or its padding, in part at least. @param side of the symbol */
export function* coveredModules(place: Place, side: number): Generator<readonly [x: number, y: number]> {
  const { logo, box, cutout, radius } = place;
  const area = cutout === "none" ? logo : box;
  const reach = cutout === "circle" ? radius : Math.max(area.width, area.height) / 2;
  const first = Math.max(0, Math.floor(side / 2 - reach));
  const last = Math.min(side - 1, Math.floor(side / 2 + reach));
  for (let y = first; y <= last; y += 1) {
    for (let x = first; x <= last; x += 1) if (isCovered(place, side, x, y)) yield [x, y];
  }
}
