import type { PageColors, PageContent } from "../../contract/resources/pages.ts";
import { contrast, dim, type Hex, isLighter, lighten, readColor } from "../../lib/image/color.ts";

/** The colours in which a page is rendered. */
export interface Palette {
  readonly background: Hex;
  readonly text: Hex;
  readonly accent: Hex;
  /** The text on a button: black or white, whichever has more contrast. */
  readonly onAccent: Hex;
}

/** A page's palettes by the scheme that the reader's device prefers. They are equal if the page has only one scheme. */
export interface Palettes {
  readonly light: Palette;
  readonly dark: Palette;
}

/** Minimum contrast of text and of buttons with the background, by WCAG 2. */
export const minContrast = { text: 4.5, accent: 3 } as const;

const defaults = { background: "#ffffff", text: "#14161b", accent: "#14161b" } as const;

/**
 * Returns a page's palettes. If its own colours are already dark, they serve as both, because a dark page stays as it
 * is.
 */
export function resolvePalettes({ colors, scheme }: Pick<PageContent, "colors" | "scheme">): Palettes {
  const own = resolvePalette(colors);
  const dark = isDark(own) ? own : darkPalette(own);
  switch (scheme) {
    case "auto":
      return { light: own, dark };
    case "light":
      return { light: own, dark: own };
    case "dark":
      return { light: dark, dark };
  }
}

/** Returns whether text is lighter than its background. */
export const isDark = ({ background, text }: Palette): boolean => isLighter(text, background);

/**
 * Returns the palette of a page's own colours. Invalid colours are replaced by defaults, so that a scan never fails.
 */
export function resolvePalette(colors: PageColors | null): Palette {
  const read = (name: keyof PageColors): Hex => readOpaqueColor(colors?.[name]) ?? defaults[name];
  return paletteOf(read("background"), read("text"), read("accent"));
}

/**
 * Derives a dark palette with the hues of a light one. The accent stays the owner's, unless it would not stand out from
 * the background.
 */
function darkPalette({ background, text, accent }: Palette): Palette {
  const darkBackground = dim(background, { maxSaturation: 20, lightness: 10 });
  const darkText = dim(text, { maxSaturation: 20, lightness: 92 });
  return paletteOf(darkBackground, darkText, accentOn(darkBackground, accent));
}

/** Returns the accent in its own hue, lightened only as much as its contrast with a dark background requires. */
function accentOn(background: Hex, accent: Hex): Hex {
  let by = 0;
  while (contrast(lighten(accent, by), background) < minContrast.accent) by += 0.01;
  return lighten(accent, by);
}

function paletteOf(background: Hex, text: Hex, accent: Hex): Palette {
  const onAccent = contrast("#ffffff", accent) >= contrast("#000000", accent) ? "#ffffff" : "#000000";
  return { background, text, accent, onAccent };
}

/** Returns the contrasts of a page's own colours with their background, from 1 to 21. */
export function contrastsOf(colors: PageColors | null): Record<keyof typeof minContrast, number> {
  const { background, text, accent } = resolvePalette(colors);
  return { text: contrast(text, background), accent: contrast(accent, background) };
}

/** Parses a CSS colour; null if invalid or translucent. */
export function readOpaqueColor(text: string | undefined): Hex | null {
  const color = text === undefined ? null : readColor(text);
  return color === "transparent" ? null : color;
}
