import type { Shape } from "../../contract/resources/enums.ts";
import { limits } from "../../contract/limits.ts";
import type { ColorConfig } from "../../contract/resources/qr.ts";
import { contrast, type Hex, isLighter, readColor } from "../../lib/image/color.ts";
import type { Design } from "../../lib/image/qr-drawing.ts";
import { invalid } from "../errors.ts";

/** The style of a code as a client sets it. */
export interface Style {
  readonly colorConfig?: ColorConfig | null | undefined;
  readonly shape?: Shape | null | undefined;
}

/** The properties of `colorConfig` that are colors. */
const colorFields = ["dotsColor", "backgroundColor", "cornerColor"] as const;
type ColorField = (typeof colorFields)[number];

/** Why a style is invalid. */
export interface DesignProblem {
  readonly path: ["colorConfig", ColorField];
  /** Words that follow the field's name. */
  readonly message: string;
}

/** Black on white; corners take the colour of the dots. */
const defaults = { dots: "#000000", background: "#ffffff" } as const;

const notColor = "must be a CSS color: a name, hex, rgb() or hsl()";

/** The design that a style describes. @throws invalid_input for invalid colours and those that phones can't scan */
export function requireScannableDesign(style: Style): Design {
  const design = resolveDesign(style);
  if ("message" in design) throw invalid(design.path.join("."), design.message);
  return design;
}

/** Checks that phones can scan a style. @throws invalid_input */
export function assertScannable(style: Style): void {
  requireScannableDesign(style);
}

/** The problem of a style; undefined for a valid one. */
export function designProblem(style: Style): DesignProblem | undefined {
  const design = resolveDesign(style);
  return "message" in design ? design : undefined;
}

function resolveDesign({ colorConfig, shape }: Style): Design | DesignProblem {
  const problem = (field: ColorField, message: string): DesignProblem => ({
    path: ["colorConfig", field],
    message,
  });
  const colors: { [F in ColorField]?: Hex | "transparent" } = {};
  for (const field of colorFields) {
    const text = colorConfig?.[field];
    if (text === undefined) continue;
    const color = readColor(text);
    if (color === null) return problem(field, `${notColor}, and not translucent`);
    colors[field] = color;
  }
  const { dotsColor: dots = defaults.dots, backgroundColor: background = defaults.background } = colors;
  const { cornerColor: corners = dots } = colors;
  if (dots === "transparent") return problem("dotsColor", "must not be transparent; only a background may");
  if (corners === "transparent") {
    return problem("cornerColor", "must not be transparent; only a background may");
  }
  // A transparent code is checked against white, the colour of most paper.
  const visibleBackground = background === "transparent" ? "#ffffff" : background;
  for (const [field, foreground] of [
    ["dotsColor", dots],
    ["cornerColor", corners],
  ] as const) {
    const contrastProblem = findContrastProblem(visibleBackground, foreground);
    if (contrastProblem !== undefined) {
      // Where this colour is a default, the error names the background instead: that is the field the client set.
      return colors[field] === undefined && colors.backgroundColor !== undefined
        ? problem("backgroundColor", contrastProblem.ofBackground)
        : problem(field, contrastProblem.ofForeground);
    }
  }
  return { dots, corners, background, shape: shape ?? "square" };
}

/** Why phones can't scan a foreground on a background, worded for an error of either field. */
function findContrastProblem(
  background: Hex,
  foreground: Hex,
): { ofForeground: string; ofBackground: string } | undefined {
  if (isLighter(foreground, background)) {
    const reason = "phones read dark codes on a light background";
    return {
      ofForeground: `must be darker than the background: ${reason}`,
      ofBackground: `must be lighter than the code: ${reason}`,
    };
  }
  const ratio = contrast(foreground, background);
  if (ratio >= limits.contrast) return undefined;
  const reason = `the contrast is ${ratio}:1, and phones need ${limits.contrast}:1`;
  return {
    ofForeground: `must be darker, or the background lighter: ${reason}`,
    ofBackground: `must be lighter, or the code darker: ${reason}`,
  };
}
