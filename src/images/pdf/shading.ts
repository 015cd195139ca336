import type { XmlElement } from "../../lib/text/xml.ts";
import { drawnColor, type Ink, type InkColor, inkColor } from "./ink.ts";
import { type Matrix, matricesOf, numberOf } from "./shapes.ts";

interface Stop extends InkColor {
  readonly offset: number;
}

/** Converts an SVG gradient, in the units of the drawing, to a PDF shading and the matrices to apply to it. */
export function shadingOf(gradient: XmlElement, ink: Ink) {
  const { attributes, children, name } = gradient;
  if (attributes.get("gradientUnits") !== "userSpaceOnUse") {
    throw new Error("no gradient in the units of the drawing");
  }
  const stops = stopsOf(children, ink);
  const at = (of: string, absent?: number) => numberOf(gradient, of, absent);
  const [cx, cy] = [at("cx"), at("cy")];
  const coordinates =
    name === "linearGradient"
      ? [at("x1"), at("y1"), at("x2"), at("y2")]
      : [at("fx", cx), at("fy", cy), 0, cx, cy, at("r")];
  const shading = {
    ShadingType: name === "linearGradient" ? 2 : 3,
    ColorSpace: stops[0]?.space ?? "DeviceRGB",
    Coords: coordinates,
    Function: functionOf(stops),
    Extend: [true, true],
  };
  const matrices: Matrix[] = matricesOf(attributes.get("gradientTransform") ?? "");
  return { shading, matrices };
}

function stopsOf(elements: readonly XmlElement[], ink: Ink): Stop[] {
  const read = (of: Ink) =>
    elements.map((stop) => ({
      offset: numberOf(stop, "offset"),
      ...inkColor(drawnColor(stop.attributes.get("stop-color") ?? "#000000"), of),
    }));
  const stops = read(ink);
  // A shading has a single colour space, so a gradient between a grey and a colour is all RGB.
  return stops.every(({ space }) => space === stops[0]?.space) ? stops : read("rgb");
}

/** Interpolates linearly between stops; before the first and after the last, their colours continue. */
function functionOf(stops: readonly Stop[]) {
  const [first, last] = [stops[0], stops.at(-1)];
  if (first === undefined || last === undefined) throw new Error("no stops in a gradient");
  const all = [
    ...(first.offset > 0 ? [{ ...first, offset: 0 }] : []),
    ...stops,
    ...(last.offset < 1 ? [{ ...last, offset: 1 }] : []),
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
