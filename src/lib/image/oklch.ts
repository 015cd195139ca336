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

const gamma = (value: number): number =>
  255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

/**
 * Red, green and blue of a colour, 0 to 255 each. One that is more saturated than screens show gets the most saturated that they
 * do.
 */
export function colorOf({ lightness, chroma, hue }: Oklch): readonly [number, number, number] {
  const inGamut = (share: number) => {
    const color = linearOf({ lightness, chroma: chroma * share, hue });
    return color.every((value) => value >= -1e-4 && value <= 1 + 1e-4);
  };
  let [low, high] = [0, 1];
  if (inGamut(1)) low = 1;
  for (let i = 0; low < 1 && i < 12; i += 1) {
    const middle = (low + high) / 2;
    if (inGamut(middle)) low = middle;
    else high = middle;
  }
  const [r, g, b] = linearOf({ lightness, chroma: chroma * low, hue });
  const shown = (value: number) => gamma(Math.min(1, Math.max(0, value)));
  return [shown(r), shown(g), shown(b)];
}

function linearOf({ lightness, chroma, hue }: Oklch): readonly [number, number, number] {
  const [across, along] = [
    chroma * Math.cos((hue * Math.PI) / 180),
    chroma * Math.sin((hue * Math.PI) / 180),
  ];
  const long = (lightness + 0.3963377774 * across + 0.2158037573 * along) ** 3;
  const medium = (lightness - 0.1055613458 * across - 0.0638541728 * along) ** 3;
  const short = (lightness - 0.0894841775 * across - 1.291485548 * along) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}
