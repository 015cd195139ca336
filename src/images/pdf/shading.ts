import type { LogoGradient } from "../../lib/image/logo-drawing.ts";
import { type Ink, inkColor } from "./ink.ts";

interface Stop {
  readonly offset: number;
  readonly values: readonly number[];
}

/** Converts a gradient to a PDF shading, in the gradient's coordinates. */
export function gradientShading(gradient: LogoGradient, ink: Ink) {
  const read = (as: Ink) => gradient.stops.map(({ offset, color }) => ({ offset, ...inkColor(color, as) }));
  const own = read(ink);
  // A shading has a single colour space, so a gradient between a grey and a colour is all RGB.
  const stops = own.every(({ space }) => space === own[0]?.space) ? own : read("rgb");
  return shadingOf(gradient, stops, stops[0]?.space ?? "DeviceRGB");
}

/** Converts the opacity of a gradient to a PDF shading of greys. */
export const alphaShading = (gradient: LogoGradient) =>
  shadingOf(
    gradient,
    gradient.stops.map(({ offset, opacity }) => ({ offset, values: [opacity] })),
    "DeviceGray",
  );

function shadingOf({ type, coordinates }: LogoGradient, stops: readonly Stop[], space: string) {
  const [x = 0, y = 0, ...others] = coordinates;
  return {
    ShadingType: type === "linear" ? 2 : 3,
    ColorSpace: space,
    // A radial one begins at its focus, a circle without a radius.
    Coords: type === "linear" ? [x, y, ...others] : [x, y, 0, ...others],
    Function: functionOf(stops),
    Extend: [true, true],
  };
}

/** Interpolates linearly between stops; before the first and after the last, their colours continue. */
function functionOf(stops: readonly Stop[]) {
  const [first, last] = [stops[0], stops.at(-1)];
  if (first === undefined || last === undefined) throw new Error("no stops in a gradient");
  const all = [
    ...(first.offset > 0 ? [{ ...first, offset: 0 }] : []),
    ...stops,
    ...(last.offset < 1 || stops.length === 1 ? [{ ...last, offset: 1 }] : []),
  ];
  const functions = all.slice(1).map((stop, index) => ({
    FunctionType: 2,
    Domain: [0, 1],
    C0: [...(all[index]?.values ?? [])],
    C1: [...stop.values],
    N: 1,
  }));
  return {
    FunctionType: 3,
    Domain: [0, 1],
    Functions: functions,
    Bounds: all.slice(1, -1).map(({ offset }) => offset),
    Encode: functions.flatMap(() => [0, 1]),
  };
}
