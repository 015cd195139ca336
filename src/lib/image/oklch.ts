import { channels, type Hex } from "./color.ts";

/** A perceptual colour: lightness from 0 to 1, chroma from 0 (grey), and hue in degrees. */
export interface Oklch {
  readonly lightness: number;
  readonly chroma: number;
  readonly hue: number;
}

const linear = (channel: number): number => {
  const value = channel / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

/** Converts a colour to OKLCH (CSS Color 4). */
export function oklchOf(color: Hex): Oklch {
  const [r, g, b] = channels(color).map(linear) as [number, number, number];
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const across = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const along = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  const hue = (Math.atan2(along, across) * 180) / Math.PI;
  return { lightness, chroma: Math.hypot(across, along), hue: (hue + 360) % 360 };
}
