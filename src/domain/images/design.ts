import { limits } from "../../contract/limits.ts";
import { type Plan, plans } from "../../contract/plans.ts";
import type { ColorConfig } from "../../contract/resources/codes/qr.ts";
import type { Shape } from "../../contract/resources/enums.ts";
import { Advanced, designProperties } from "../../contract/resources/images/design.ts";
import { contrast, type Hex, isLighter, lightBetween, readColor } from "../../lib/image/color.ts";
import type { Design, FrameDesign, Gradient, Paint } from "../../lib/image/design.ts";
import { mergePatch, sameJson } from "../../lib/text/json.ts";
import { invalid } from "../errors.ts";
import { missingCharacter } from "./glyphs.ts";

/** The style of a code as a client sets it. */
export interface Style {
  readonly colorConfig?: ColorConfig | null | undefined;
  readonly shape?: Shape | null | undefined;
  /** As stored, including the client's own properties. */
  readonly advanced?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A style with the id of its logo. */
type Look = Style & { readonly logoId?: string | null };

/** Returns whether two codes look the same apart from their address. */
export const hasSameLook = (one: Look, other: Look): boolean => sameJson(lookOf(one), lookOf(other));

const lookOf = ({ colorConfig, shape, advanced, logoId }: Look) => ({ colorConfig, shape, advanced, logoId });

/** Why a style is invalid. */
export interface DesignProblem {
  readonly path: readonly string[];
  /** Words that follow the field's name. */
  readonly message: string;
}

/** Black on white. Corners take the colour of the dots. */
const defaults = { dots: "#000000", background: "#ffffff" } as const;

const notColor = "must be a CSS color such as navy, #14532d, rgb() or hsl()";

/** Aborts the parsing of a style. */
class Problem extends Error {
  readonly problem: DesignProblem;

  constructor(path: readonly string[], message: string) {
    super(message);
    this.problem = { path, message };
  }
}

/**
 * The rules for a style: `drawn`, like every code that was ever stored, or `saved`, which demands a larger difference
 * in light than earlier releases did.
 */
type Demand = "drawn" | "saved";

/** Checks that a style can be drawn. @throws invalid_input */
export const requireDrawable = (style: Style): void => requireFulfilled(style, "drawn");

/** Checks that a client's style can be drawn and that phones can scan it. @throws invalid_input */
export const requireScannable = (style: Style): void => requireFulfilled(style, "saved");

function requireFulfilled(style: Style, demand: Demand): void {
  const problem = designProblem(style, demand);
  if (problem !== undefined) throw invalid(problem.path.join("."), problem.message);
}

/** Returns the problem of a client's style; undefined if it is valid. */
export function designProblem(style: Style, demand: Demand = "saved"): DesignProblem | undefined {
  // Plain codes have no problems, and most rows of a bulk job are plain.
  if (!style.colorConfig && !style.advanced) return undefined;
  const design = resolve(style, mergePatch({}, style.advanced ?? {}), demand);
  return "problem" in design ? design.problem : undefined;
}

/**
 * Checks a changed style. Properties of `advanced` that couldn't be drawn before may stay as they are.
 * @throws invalid_input
 */
export function requireScannableChange(before: Style, after: Style): void {
  const drawn = drawable(before, before.advanced ?? {}).advanced;
  const advanced = Object.entries(after.advanced ?? {}).filter(
    ([name, value]) => name in drawn || !sameJson(value, before.advanced?.[name]),
  );
  const isSame = sameJson(
    drawable(before, before.advanced ?? {}).design,
    drawable(after, after.advanced ?? {}).design,
  );
  requireFulfilled({ ...after, advanced: Object.fromEntries(advanced) }, isSame ? "drawn" : "saved");
}

/**
 * Returns the design of a stored style. Ignores invalid properties of `advanced` that were stored before their names
 * had a meaning.
 * @throws invalid_input for colours that phones can't scan
 */
export function designOf({ colorConfig, shape, advanced }: Style, plan: Plan): Design {
  const { cornerColor: _, ...colors } = colorConfig ?? {};
  const { fullDesign } = plans[plan];
  const included = designProperties.flatMap(({ name, isPlain }) =>
    advanced?.[name] !== undefined && (isPlain || fullDesign) ? [[name, advanced[name]]] : [],
  );
  const drawn = { colorConfig: fullDesign ? colorConfig : colors, shape };
  const { design } = drawable(drawn, Object.fromEntries(included));
  if ("problem" in design) throw invalid(design.problem.path.join("."), design.problem.message);
  return design;
}

/** Returns a style without properties of `advanced` that can't be drawn. */
function drawable(style: Style, advanced: Readonly<Record<string, unknown>>) {
  const kept = { ...advanced };
  for (;;) {
    const design = resolve(style, kept);
    const [field, name = ""] = "problem" in design ? design.problem.path : [];
    if (field !== "advanced" || !(name in kept)) return { design, advanced: kept };
    delete kept[name];
  }
}

function resolve(
  style: Style,
  advanced: Readonly<Record<string, unknown>>,
  demand: Demand = "drawn",
): Design | { problem: DesignProblem } {
  const parsed = Advanced.safeParse(advanced);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = ["advanced", ...(issue?.path ?? []).map(String)];
    return { problem: { path, message: issue?.message ?? "isn't valid" } };
  }
  try {
    return read(style, parsed.data, demand);
  } catch (error) {
    if (error instanceof Problem) return { problem: error.problem };
    throw error;
  }
}

function read({ colorConfig, shape }: Style, advanced: Advanced, demand: Demand): Design {
  const given = {
    dots: colorAt(["colorConfig", "dotsColor"], colorConfig?.dotsColor),
    background: colorAt(["colorConfig", "backgroundColor"], colorConfig?.backgroundColor),
    corners: colorAt(["colorConfig", "cornerColor"], colorConfig?.cornerColor),
  };
  const dots = opaque(["colorConfig", "dotsColor"], given.dots) ?? defaults.dots;
  const corners = opaque(["colorConfig", "cornerColor"], given.corners);
  const background = given.background ?? defaults.background;
  // A transparent code is checked against white, the colour of most paper.
  const ground = background === "transparent" ? "#ffffff" : background;
  // If this colour is a default, the error names the background instead, which is the field that the client set.
  const requireReadable = (field: "dotsColor" | "cornerColor", color: Hex, isGiven: boolean) => {
    const problem = findContrastProblem(ground, color, demand);
    if (problem === undefined) return;
    if (problem.ofForeground === undefined || (!isGiven && given.background !== undefined)) {
      throw new Problem(["colorConfig", "backgroundColor"], problem.ofBackground);
    }
    throw new Problem(["colorConfig", field], problem.ofForeground);
  };
  requireReadable("dotsColor", dots, given.dots !== undefined);
  requireReadable("cornerColor", corners ?? dots, corners !== undefined);
  const readGradient = (name: "gradient" | "eyeGradient"): Gradient | undefined => {
    const gradient = advanced[name];
    if (gradient === undefined) return undefined;
    const to = requireColor(["advanced", name, "to"], gradient.to);
    // Each channel is brightest at one end, so the ends are the lightest colours of the gradient.
    const problem = findContrastProblem(ground, to, demand);
    if (problem?.ofForeground !== undefined) {
      throw new Problem(["advanced", name, "to"], problem.ofForeground);
    }
    return { type: gradient.type, to, angle: gradient.angle ?? 0 };
  };
  const dotsPaint: Paint = { color: dots, gradient: readGradient("gradient") };
  const eyeGradient = readGradient("eyeGradient");
  const cornersPaint: Paint =
    corners === undefined && eyeGradient === undefined
      ? dotsPaint
      : { color: corners ?? dots, gradient: eyeGradient };
  const { size, padding = 1, cutout = "square" } = advanced.logo ?? {};
  return {
    modules: advanced.modules ?? (shape === "circle" ? "dots" : "square"),
    eyeFrame: advanced.eyeFrame ?? "square",
    eyeCenter: advanced.eyeCenter ?? "square",
    dots: dotsPaint,
    corners: cornersPaint,
    background,
    backgroundRadius: advanced.backgroundRadius ?? 0,
    logo: { size, padding, cutout },
    frame: readFrame(advanced.frame, dots, ground),
    quietZone: advanced.quietZone,
    ecc: advanced.ecc,
    compact: advanced.compact ?? false,
  };
}

function readFrame(frame: Advanced["frame"], dots: Hex, ground: Hex): FrameDesign | undefined {
  if (frame === undefined) return undefined;
  const path = (name: string) => ["advanced", "frame", name];
  const color = frame.color === undefined ? dots : requireColor(path("color"), frame.color);
  const { style = "label", text } = frame;
  const missing = text === undefined ? undefined : missingCharacter(text);
  if (missing !== undefined) {
    throw new Problem(
      path("text"),
      `can't contain ${missing}. Use Latin, Greek or Cyrillic letters, digits and punctuation.`,
    );
  }
  const isOnPaper = style === "line";
  const behind = isOnPaper ? ground : color;
  const textColor =
    frame.textColor === undefined
      ? bestOn(behind, isOnPaper ? [color] : [ground])
      : requireColor(path("textColor"), frame.textColor);
  if (text !== undefined && contrast(textColor, behind) < limits.contrast) {
    const ratio = contrast(textColor, behind);
    throw new Problem(
      path("textColor"),
      `must stand out more from its background. The contrast is ${ratio}:1, and people need at least ${limits.contrast}:1.`,
    );
  }
  return { style, text, color, textColor };
}

/** Returns the first colour that is legible on a background; black or white if none is. */
const bestOn = (ground: Hex, wanted: readonly Hex[]): Hex =>
  wanted.find((color) => contrast(color, ground) >= limits.contrast) ??
  (contrast("#ffffff", ground) >= contrast("#000000", ground) ? "#ffffff" : "#000000");

function colorAt(path: readonly string[], text: string | undefined): Hex | "transparent" | undefined {
  if (text === undefined) return undefined;
  const color = readColor(text);
  if (color === null) throw new Problem(path, `${notColor}, without transparency`);
  return color;
}

function opaque(path: readonly string[], color: Hex | "transparent" | undefined): Hex | undefined {
  if (color === "transparent") throw new Problem(path, "can't be transparent. Only the background can.");
  return color;
}

const requireColor = (path: readonly string[], text: string): Hex =>
  opaque(path, colorAt(path, text)) ?? defaults.dots;

/** The lowest contrast of modules and eyes with the background. The ends of a gradient are its lightest colours. */
export function lowestContrast({ dots, corners, background }: Design): number {
  const ground = background === "transparent" ? "#ffffff" : background;
  const inks = [dots, corners].flatMap(({ color, gradient }) => [color, ...(gradient ? [gradient.to] : [])]);
  return Math.min(...inks.map((ink) => contrast(ink, ground)));
}

/**
 * Why phones can't scan a foreground on a background, worded for an error of either field. Without `ofForeground`, not
 * even black can be scanned.
 */
function findContrastProblem(
  background: Hex,
  foreground: Hex,
  demand: Demand,
): { ofForeground?: string; ofBackground: string } | undefined {
  if (isLighter(foreground, background)) {
    const reason = "Phones read dark codes on a light background.";
    return {
      ofForeground: `must be darker than the background. ${reason}`,
      ofBackground: `must be lighter than the code. ${reason}`,
    };
  }
  const ratio = contrast(foreground, background);
  if (ratio >= limits.contrast)
    return demand === "saved" ? findLightProblem(background, foreground) : undefined;
  const reason = `The contrast is ${ratio}:1, and phones need at least ${limits.contrast}:1.`;
  return {
    ofForeground: `must be darker, or the background lighter. ${reason}`,
    ofBackground: `must be lighter, or the code darker. ${reason}`,
  };
}

/** Finds too small a difference in light, which is lost beside white paper. */
function findLightProblem(background: Hex, foreground: Hex): ReturnType<typeof findContrastProblem> {
  const light = lightBetween(foreground, background);
  if (light >= limits.symbolContrast) return undefined;
  const needed = `phones need ${100 * limits.symbolContrast} %`;
  const percent = Math.floor(100 * light);
  if (lightBetween("#000000", background) < limits.symbolContrast) {
    return {
      ofBackground: `must be lighter. It reflects only ${percent} % more light than the code, and ${needed}.`,
    };
  }
  const reason = `The background reflects only ${percent} % more light than the code, and ${needed}.`;
  return {
    ofForeground: `must be darker, or the background lighter. ${reason}`,
    ofBackground: `must be lighter, or the code darker. ${reason}`,
  };
}
