import { colord, extend } from "colord";
import a11y from "colord/plugins/a11y";
import names from "colord/plugins/names";

extend([a11y, names]);

/** A colour that is safe to write into any document: `#` and six hex digits. */
export type Hex = `#${string}`;

/**
 * Parses a CSS colour: a name, hex, rgb() or hsl(). Nothing of the input is copied into the result.
 * @returns null for anything else, and for a translucent colour
 */
export function readColor(text: string): Hex | "transparent" | null {
  const color = colord(text);
  if (!color.isValid()) return null;
  const alpha = color.alpha();
  if (alpha === 0) return "transparent";
  return alpha === 1 ? (color.toHex() as Hex) : null;
}

/** Parses a CSS colour and its opacity, from 0 to 1; null for anything else. */
export function readTranslucent(text: string): { readonly color: Hex; readonly opacity: number } | null {
  const color = colord(text);
  if (!color.isValid()) return null;
  const opacity = color.alpha();
  return { color: color.alpha(1).toHex() as Hex, opacity };
}

/** A colour with the `#` that people leave out. */
export const withHash = (text: string): string =>
  /^(?:[\da-f]{3}|[\da-f]{6})$/i.test(text) ? `#${text}` : text;

/** The WCAG 2 contrast ratio of two colours, from 1 to 21. */
export const contrast = (one: Hex, other: Hex): number => colord(one).contrast(other);

/**
 * By how much of white paper's light the second colour reflects more than the first, from -1 to 1: the symbol contrast of
 * ISO/IEC 15415. Unlike a ratio, it is small for two dark colours.
 */
export const lightBetween = (one: Hex, other: Hex): number => luminance(other) - luminance(one);

/** The relative luminance of WCAG 2. `luminance()` of the library has only two decimals. */
function luminance(color: Hex): number {
  const [r, g, b] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns whether the first colour is lighter than the second. */
export const isLighter = (one: Hex, other: Hex): boolean =>
  colord(one).luminance() > colord(other).luminance();

/** Returns a colour of the same hue with the given lightness and at most the given saturation, both in percent. */
export function dim(
  color: Hex,
  { maxSaturation, lightness }: { maxSaturation: number; lightness: number },
): Hex {
  const { h, s } = colord(color).toHsl();
  return colord({ h, s: Math.min(s, maxSaturation), l: lightness }).toHex() as Hex;
}

/** Lightens a colour. @param by of its lightness, from 0 to 1 */
export const lighten = (color: Hex, by: number): Hex => colord(color).lighten(by).toHex() as Hex;

/** Returns red, green and blue, 0 to 255 each. */
export function channels(color: Hex): readonly [number, number, number] {
  const { r, g, b } = colord(color).toRgb();
  return [r, g, b];
}

/** A colour of red, green and blue, 0 to 255 each; parts of a step are rounded. */
export const hexOf = ([r, g, b]: readonly [number, number, number]): Hex =>
  colord({ r, g, b }).toHex() as Hex;
