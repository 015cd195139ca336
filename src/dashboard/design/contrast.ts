import { limits } from "../../contract/limits.ts";
import { contrast, type Hex, isLighter, lightBetween, readColor, withHash } from "../../lib/image/color.ts";
import { readableOn } from "../../lib/image/readable-color.ts";
import type { designLabels } from "./fields.ts";

/** Two colours of a form that are too similar, and a change that solves it. */
export interface FaintPair {
  /** The name of the foreground colour, to begin a sentence with. */
  readonly what: string;
  /** A sentence that gives the reason. */
  readonly problem: string;
  /** Fields and their colours; undefined if no change of a single colour solves it. */
  readonly fix: { readonly words: string; readonly values: Readonly<Record<string, Hex>> } | undefined;
}

const background = "colorConfig.backgroundColor";

/** Returns the colours of a design that phones or people can't distinguish from their background. */
export function faintPairs(form: URLSearchParams): FaintPair[] {
  const colorOf = (name: string): Hex | undefined => {
    const color = readColor(withHash((form.get(name) ?? "").trim()));
    return color === null || color === "transparent" ? undefined : color;
  };
  const isTransparent = form.get("transparent") === "on";
  const ground = isTransparent ? "#ffffff" : (colorOf(background) ?? "#ffffff");
  const dots = colorOf("colorConfig.dotsColor") ?? "#000000";
  const has = (name: string) => (form.get(name) ?? "") !== "";
  const inks = [
    ["colorConfig.dotsColor", dots],
    ["colorConfig.cornerColor", colorOf("colorConfig.cornerColor")],
    ["advanced.gradient.to", has("advanced.gradient.type") ? colorOf("advanced.gradient.to") : undefined],
    [
      "advanced.eyeGradient.to",
      has("advanced.eyeGradient.type") ? colorOf("advanced.eyeGradient.to") : undefined,
    ],
  ] as const;
  const faint = inks.flatMap(([name, color]) =>
    color === undefined ? [] : (inkOn(name, color, ground, isTransparent) ?? []),
  );
  const textColor = colorOf("advanced.frame.textColor");
  const style = form.get("advanced.frame.style") ?? "";
  if (style === "" || textColor === undefined || !has("advanced.frame.text")) return faint;
  const behind = style === "line" ? ground : (colorOf("advanced.frame.color") ?? dots);
  return [...faint, ...(textOn(textColor, behind) ?? [])];
}

/** The difference that phones need between a code and its background. */
const needed = { ratio: limits.contrast, light: limits.symbolContrast };

const subjects = {
  "colorConfig.dotsColor": "The colour of the code",
  "colorConfig.cornerColor": "The colour of the eyes",
  "advanced.gradient.to": "The second colour of the modules",
  "advanced.eyeGradient.to": "The second colour of the eyes",
} as const;

function inkOn(
  name: keyof typeof subjects,
  color: Hex,
  ground: Hex,
  isTransparent: boolean,
): FaintPair[] | undefined {
  const ratio = contrast(color, ground);
  const isInverted = isLighter(color, ground);
  const light = lightBetween(color, ground);
  if (!isInverted && ratio >= needed.ratio && light >= needed.light) return undefined;
  const problem = isInverted
    ? "is lighter than the background. Phones read dark codes on a light background."
    : ratio < needed.ratio
      ? `is too pale to scan: contrast is ${ratio}:1, phones need ${needed.ratio}:1.`
      : `is too pale to scan: the background reflects only ${Math.floor(100 * light)} % more light, phones need ${100 * needed.light} %.`;
  const darker = readableOn(ground, color, needed, "black");
  const lighter = isTransparent ? undefined : readableOn(color, ground, needed, "white");
  const change = (field: keyof typeof designLabels, to: Hex) => ({
    words: `Use ${to} for ${inText[field] ?? "it"}`,
    values: { [field]: to },
  });
  const fix =
    darker !== undefined && !isLighter(darker, ground)
      ? change(name, darker)
      : lighter !== undefined && !isLighter(color, lighter)
        ? change(background, lighter)
        : isTransparent || ratio < needed.ratio || Math.abs(light) < needed.light
          ? undefined
          : { words: "Swap the two colours", values: { [name]: ground, [background]: color } };
  return [{ what: subjects[name], problem, fix }];
}

const inText: Readonly<Partial<Record<keyof typeof designLabels, string>>> = {
  "colorConfig.dotsColor": "the code",
  "colorConfig.cornerColor": "the eyes",
  "colorConfig.backgroundColor": "the background",
};

function textOn(color: Hex, behind: Hex): FaintPair[] | undefined {
  const ratio = contrast(color, behind);
  if (ratio >= limits.contrast) return undefined;
  const to =
    readableOn(behind, color, { ratio: limits.contrast }, "black") ??
    readableOn(behind, color, { ratio: limits.contrast }, "white");
  return [
    {
      what: "The text of the frame",
      problem: `is too pale to read: contrast is ${ratio}:1, people need ${limits.contrast}:1.`,
      fix: to && { words: `Use ${to} for the text`, values: { "advanced.frame.textColor": to } },
    },
  ];
}
