import type { Shape } from "../../contract/resources/enums.ts";
import { limits } from "../../contract/limits.ts";
import type { ColorConfig } from "../../contract/resources/qr.ts";
import { contrast, type Hex, isLighter, readColor } from "../../lib/image/color.ts";
import type { Design } from "../../lib/image/qr-drawing.ts";
import { invalid } from "../errors.ts";

/** How a code is to look, as it was asked for. */
export interface Look {
  readonly colorConfig?: ColorConfig | null | undefined;
  readonly shape?: Shape | null | undefined;
}

type ColorField = "dotsColor" | "backgroundColor" | "cornerColor";

/** A field of a look that is not as it must be. */
export interface LookProblem {
  readonly path: ["colorConfig", ColorField];
  /** Words that follow the field's name. */
  readonly message: string;
}

/** Black on white, the corners like the dots. */
const defaults = { dots: "#000000", background: "#ffffff" } as const;

const notColor = "must be a CSS color: a name, hex, rgb() or hsl()";

/**
 * The design a look comes to. @throws invalid_input naming the field: for what is no colour, and for what
 * phones can't read
 */
export function requireLook(look: Look): Design {
  const design = readLook(look);
  if ("message" in design) throw invalid(design.path.join("."), design.message);
  return design;
}

/** What is wrong with a look, if anything is. */
export function lookProblem(look: Look): LookProblem | undefined {
  const design = readLook(look);
  return "message" in design ? design : undefined;
}

function readLook({ colorConfig, shape }: Look): Design | LookProblem {
  const problem = (field: ColorField, message: string): LookProblem => ({
    path: ["colorConfig", field],
    message,
  });
  const colors: { [F in ColorField]?: Hex | "transparent" } = {};
  for (const field of ["dotsColor", "backgroundColor", "cornerColor"] as const) {
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
  // What lies behind a transparent code is not known. Most paper is white.
  const ground = background === "transparent" ? "#ffffff" : background;
  for (const [field, ink] of [
    ["dotsColor", dots],
    ["cornerColor", corners],
  ] as const) {
    const unreadable = unreadableOn(ground, ink);
    // Who chose no colour for this must change the background.
    if (unreadable !== undefined) {
      return colors[field] === undefined && colors.backgroundColor !== undefined
        ? problem("backgroundColor", unreadable.background)
        : problem(field, unreadable.ink);
    }
  }
  return { dots, corners, background, shape: shape ?? "square" };
}

/** Why phones can't read an ink on a ground, and what would help: said of the ink, and of the background. */
function unreadableOn(ground: Hex, ink: Hex): { ink: string; background: string } | undefined {
  if (isLighter(ink, ground)) {
    const why = "phones read dark codes on a light background";
    return {
      ink: `must be darker than the background: ${why}`,
      background: `must be lighter than the code: ${why}`,
    };
  }
  const ratio = contrast(ink, ground);
  if (ratio >= limits.contrast) return undefined;
  const why = `the contrast is ${ratio}:1, and phones need ${limits.contrast}:1`;
  return {
    ink: `must be darker, or the background lighter: ${why}`,
    background: `must be lighter, or the code darker: ${why}`,
  };
}
