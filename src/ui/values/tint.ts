import { readColor } from "../../lib/image/color.ts";
import { oklchOf } from "../../lib/image/oklch.ts";

/** Degrees between two classes. */
const hueStep = 10;
/** From this chroma on, colours tint equally strongly; below, in this many steps. */
const most = 0.12;
const chromaSteps = 4;

/**
 * A page's background in light and dark. Its hue and chroma depend on its classes. Text stays legible on all of them.
 */
export const tintOf = {
  light: { lightness: 0.957, share: 0.17 },
  dark: { lightness: 0.245, share: 0.5 },
} as const;

const hues = Array.from({ length: 360 / hueStep }, (_, i) => i * hueStep);
const chromas = Array.from({ length: chromaSteps + 1 }, (_, i) => (most * i) / chromaSteps);

const color = ({ lightness, share }: { lightness: number; share: number }): string =>
  `oklch(${lightness} calc(${share} * var(--tint-chroma)) var(--tint-hue))`;

/** The rules of the classes. Inline styles are not allowed, so a page's colour is one of these. */
export const tintStyles = `@layer components {
  .tint {
    --tint: light-dark(${color(tintOf.light)}, ${color(tintOf.dark)});
  }
${hues.map((hue, i) => `  .tint-${i} { --tint-hue: ${hue}; }`).join("\n")}
${chromas.map((chroma, i) => `  .tint-by-${i} { --tint-chroma: ${chroma}; }`).join("\n")}
}`;

/** Returns the classes of a page about a code. @param text the colour of its modules, as stored */
export function tintClasses(text: string | undefined): string {
  const read = text === undefined ? null : readColor(text);
  const { chroma, hue } = oklchOf(read === null || read === "transparent" ? "#000000" : read);
  const nearest = Math.round(hue / hueStep) % hues.length;
  return `tint tint-${nearest} tint-by-${Math.round((Math.min(chroma, most) / most) * chromaSteps)}`;
}
