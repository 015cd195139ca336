import { channels, type Hex, readColor } from "../../lib/image/color.ts";

/**
 * How colours are printed: `rgb` leaves them to the printer; `k100` prints greys with black ink only, so that
 * misaligned inks don't blur the edges of modules.
 */
export type Ink = "rgb" | "k100";

/** A colour space and values, from 0 to 1. */
interface InkColor {
  readonly space: "DeviceRGB" | "DeviceCMYK";
  readonly values: readonly number[];
}

export function inkColor(color: Hex, ink: Ink): InkColor {
  const [red, green, blue] = channels(color).map((value) => value / 255) as [number, number, number];
  const isGrey = red === green && green === blue;
  return ink === "k100" && isGrey
    ? { space: "DeviceCMYK", values: [0, 0, 0, 1 - red] }
    : { space: "DeviceRGB", values: [red, green, blue] };
}

/** Returns the operator that sets the fill colour. */
export const fillOperator = (color: Hex, ink: Ink): string => colorOperator(color, ink, "rg", "k");

/** Returns the operator that sets the colour of strokes. */
export const strokeOperator = (color: Hex, ink: Ink): string => colorOperator(color, ink, "RG", "K");

function colorOperator(color: Hex, ink: Ink, rgb: string, cmyk: string): string {
  const { space, values } = inkColor(color, ink);
  const numbers = values.map((value) => Number(value.toFixed(4))).join(" ");
  return `${numbers} ${space === "DeviceRGB" ? rgb : cmyk}\n`;
}

/** Parses a colour of a drawing. @throws if it is translucent or not a colour */
export function drawnColor(text: string): Hex {
  const color = readColor(text);
  if (color === null || color === "transparent") throw new Error(`no opaque colour: ${text}`);
  return color;
}
