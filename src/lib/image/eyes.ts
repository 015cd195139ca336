import type { EyeForm } from "./design.ts";
import { box, type Box, type Corners } from "./path.ts";

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
 * Decoders also measure an eye along its diagonals. So no shape differs so much from a square or a circle that a ring
 * of one shape around a centre of another could not be measured.
 */
const frames: Readonly<Record<EyeForm, Style>> = {
  square: { radius: 0, sharp: [] },
  rounded: { radius: 0.58, sharp: [] },
  circle: { radius: 1, sharp: [] },
  leaf: { radius: 0.7, sharp: [1, 3] },
  cut: { radius: 0.42, sharp: [], isCut: true },
  drop: { radius: 0.9, sharp: [2] },
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
  return (
    styledBox({ x, y, side }, style, outer, place) +
    styledBox({ x: x + 1, y: y + 1, side: side - 2 }, style, inner, place, true)
  );
}

/** Of the sharp corners of a centre in a round ring, which would come too close to it: as a share of half the width. */
const softened = 0.4;

/** The centre of an eye, 3 modules wide, or of an alignment pattern, which has 1. */
export function center(square: Square, form: EyeForm, frame: EyeForm, place: Place): string {
  const style = centers[form];
  const sharp = frame === "circle" || frame === "drop" ? softened : 0;
  return styledBox(square, style, (style.radius * square.side) / 2, place, false, (sharp * square.side) / 2);
}

function styledBox(
  { x, y, side }: Square,
  style: Style,
  radius: number,
  place: Place,
  isHole = false,
  sharp = 0,
): string {
  const radii = [0, 1, 2, 3].map((corner) =>
    style.sharp.includes((corner - outerCorner[place] + 4) % 4) ? sharp : Math.max(radius, sharp),
  ) as unknown as Corners<number>;
  const shape: Box = { x, y, width: side, height: side, radii, isCut: style.isCut, isHole };
  return box(shape);
}
