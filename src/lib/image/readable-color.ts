import { contrast, type Hex, hexOf, lightBetween } from "./color.ts";
import { colorOf, oklchOf } from "./oklch.ts";

/** Steps of lightness that are tried. */
const steps = 200;

/**
 * Returns the colour of the same hue, nearest in lightness, that can be read on another.
 * @param least its contrast: as a WCAG 2 ratio, and in light, see `lightBetween`
 * @param towards the end of the lightness scale to search towards
 * @returns undefined if there is none
 */
export function readableOn(
  ground: Hex,
  color: Hex,
  { ratio, light = 0 }: { readonly ratio: number; readonly light?: number },
  towards: "black" | "white",
): Hex | undefined {
  const { lightness, chroma, hue } = oklchOf(color);
  const end = towards === "black" ? 0 : 1;
  for (let step = 1; step <= steps; step += 1) {
    const tried = { lightness: lightness + ((end - lightness) * step) / steps, chroma, hue };
    const candidate = hexOf(colorOf(tried));
    if (contrast(candidate, ground) >= ratio && Math.abs(lightBetween(candidate, ground)) >= light) {
      return candidate;
    }
  }
  return undefined;
}
