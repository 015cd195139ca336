import type { EyeForm } from "./design.ts";
import { box, type Corners } from "./path.ts";

/** The corner of the symbol that an eye is in; an alignment pattern is treated as the one in the lower right. */
export type Place = "upperLeft" | "upperRight" | "lowerLeft" | "lowerRight";

/** The index of a box's corner that points out of the symbol. */
const outerCorner: Readonly<Record<Place, number>> = {
  upperLeft: 0,
  upperRight: 1,
  lowerRight: 2,
  lowerLeft: 3,
};

/** The corners of a shape. */
interface Style {
  /** Where an arc or cut begins, as a share of half the width. */
  readonly radius: number;
  /** Corners that stay sharp, counted clockwise from the outer one. */
  readonly sharp: readonly number[];
  readonly isCut?: boolean;
}

/**
 * Decoders also measure an eye along its diagonals, so every shape is close enough to a square or a circle for any ring
 * to go with any centre. No ring is a perfect circle, because decoders look for corners when they see a code at an
 * angle.
 */
const frames: Readonly<Record<EyeForm, Style>> = {
  square: { radius: 0, sharp: [] },
  rounded: { radius: 0.58, sharp: [] },
  circle: { radius: 0.85, sharp: [] },
  leaf: { radius: 0.7, sharp: [1, 3] },
  cut: { radius: 0.42, sharp: [], isCut: true },
  drop: { radius: 0.8, sharp: [2] },
};

const centers: Readonly<Record<EyeForm, Style>> = {
  square: { radius: 0, sharp: [] },
  rounded: { radius: 0.55, sharp: [] },
  circle: { radius: 1, sharp: [] },
  leaf: { radius: 0.7, sharp: [1, 3] },
  cut: { radius: 0.48, sharp: [], isCut: true },
  drop: { radius: 0.9, sharp: [2] },
};

/** An area of modules. */
interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

/** Draws the ring of an eye or alignment pattern, one module thick everywhere. */
export function ring({ x, y, side }: Square, frame: EyeForm, place: Place): string {
  const style = frames[frame];
  const outer = (style.radius * side) / 2;
  // The inner edge runs parallel to the outer one.
  const inner = Math.max(0, outer - (style.isCut === true ? 2 - Math.SQRT2 : 1));
  const { isCut } = style;
  return (
    box({ x, y, width: side, height: side, isCut, radii: radiiOf(style, place, outer) }) +
    box({
      ...{ x: x + 1, y: y + 1, width: side - 2, height: side - 2, isCut, isHole: true },
      radii: radiiOf(style, place, inner),
    })
  );
}

/**
 * Limits of a centre's corners, as shares of half the width. In a round ring at least this, since a sharp corner would
 * come too close to it; in a sharp corner of the ring at most this, or this for a cut, since a gap would be too large.
 */
const [leastInRound, mostInSharp, mostCutInSharp] = [0.4, 0.75, 0.4];

/** The centre of an eye, 3 modules wide, or of an alignment pattern, which has 1. */
export function center({ x, y, side }: Square, form: EyeForm, frame: EyeForm, place: Place): string {
  const { radius, sharp, isCut } = centers[form];
  const around = frames[frame];
  const least = frame === "circle" || frame === "drop" ? leastInRound : 0;
  const radii = [0, 1, 2, 3].map((corner) => {
    const isSharp = around.radius === 0 || around.sharp.includes(corner);
    const most = isSharp ? (isCut === true ? mostCutInSharp : mostInSharp) : 1;
    return (Math.min(most, Math.max(least, sharp.includes(corner) ? 0 : radius)) * side) / 2;
  });
  return box({ x, y, width: side, height: side, isCut, radii: turned(radii, place) });
}

const radiiOf = ({ sharp }: Style, place: Place, radius: number): Corners<number> =>
  turned(
    [0, 1, 2, 3].map((corner) => (sharp.includes(corner) ? 0 : radius)),
    place,
  );

/** Returns values of corners, given from an eye's outer corner on, in the order of a box's. */
const turned = (values: readonly number[], place: Place): Corners<number> =>
  values.map((_, corner) => values[(corner - outerCorner[place] + 4) % 4]) as unknown as Corners<number>;
