import { describe, expect, it } from "vitest";
import { contrast, type Hex } from "../../../src/lib/image/color.ts";
import { oklchOf } from "../../../src/lib/image/oklch.ts";
import { tintClasses, tintOf, tintStyles } from "../../../src/ui/values/tint.ts";

/** The colour as a screen shows it, cut to what it can show. */
function hexOf(lightness: number, chroma: number, hue: number): Hex {
  const angle = (hue * Math.PI) / 180;
  const [across, along] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const long = (lightness + 0.3963377774 * across + 0.2158037573 * along) ** 3;
  const medium = (lightness - 0.1055613458 * across - 0.0638541728 * along) ** 3;
  const short = (lightness - 0.0894841775 * across - 1.291485548 * along) ** 3;
  const channels = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ].map((value) => {
    const shown = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, shown)) * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${channels.join("")}`;
}

/** The text of a page and the bounds of its controls, with the least contrast that each needs. */
const needs = {
  light: [
    ["#14161b", 15.7],
    ["#5d626b", 5.3],
    ["#868a91", 3],
  ],
  dark: [
    ["#f2f1ee", 13.5],
    ["#a4a8af", 6.3],
    ["#71767f", 3],
  ],
} as const;

describe("the tint of a code's page", () => {
  it.each(["light", "dark"] as const)("leaves text its contrast in %s, whatever the colour", (scheme) => {
    const { lightness, share } = tintOf[scheme];
    const pairs = [0, 0.03, 0.06, 0.09, 0.12].flatMap((chroma) =>
      Array.from({ length: 36 }, (_, i) => hexOf(lightness, share * chroma, i * 10)),
    );
    for (const [text, least] of needs[scheme]) {
      const lowest = Math.min(...pairs.map((tint) => contrast(text, tint)));
      expect([text, lowest >= least, lowest]).toEqual([text, true, lowest]);
    }
  });

  it.each([
    ["#000000", "tint-by-0"],
    ["#ffffff", "tint-by-0"],
    ["#0f5c4d", "tint tint-18 tint-by-2"],
    ["#ff0000", "tint tint-3 tint-by-4"],
    ["#00ff66", "tint-by-4"],
    [undefined, "tint-by-0"],
    ["not a colour", "tint-by-0"],
  ])("of %s keeps its hue, and is grey for grey", (color, classes) => {
    expect(tintClasses(color)).toContain(classes);
  });

  it("has a rule for each class that a colour may have", () => {
    for (let i = 0; i < 64; i += 1) {
      const color = `#${((i * 0x3f1d7) % 0x1000000).toString(16).padStart(6, "0")}`;
      for (const name of tintClasses(color).split(" ")) expect(tintStyles).toMatch(new RegExp(`\\.${name} `));
    }
    expect(tintStyles.match(/\.tint-\d+ /g)).toHaveLength(36);
  });

  it("is computed as browsers do", () => {
    const { lightness, chroma, hue } = oklchOf("#ff0000");
    expect(lightness).toBeCloseTo(0.628, 3);
    expect(chroma).toBeCloseTo(0.2577, 3);
    expect(hue).toBeCloseTo(29.23, 1);
  });
});
