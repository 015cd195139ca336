import type { Design, FrameDesign } from "./design.ts";
import { box } from "./path.ts";

/** A text as outlines. Lengths are in ems. */
export interface TextOutline {
  readonly width: number;
  readonly capHeight: number;
  /** Returns the outlines as a path, in modules. @param em modules per em */
  path(x: number, baseline: number, em: number): string;
}

/** An area of the drawing in one colour. */
interface Flat {
  readonly color: string;
  readonly path: string;
}

/** A drawing around the symbol. Lengths are in modules, and whole if the symbol's position depends on them. */
export interface Surroundings {
  readonly width: number;
  readonly height: number;
  /** The position of the symbol's upper left module. */
  readonly x: number;
  readonly y: number;
  /** From bottom to top. */
  readonly areas: readonly Flat[];
}

/** How much a rounded corner cuts off, as a share of its radius: a square with sides of `1 - missing` fits into it. */
const missing = 1 - Math.SQRT1_2;

/** Returns how far a square must stay from the edges to clear a round corner. */
const clearance = (radius: number): number => Math.ceil(radius * missing);

/**
 * Draws the background, the frame and its text.
 * @param side modules of the symbol
 * @param quietZone modules around it, which rounding never cuts
 */
export function surround(
  side: number,
  quietZone: number,
  { background, backgroundRadius, frame }: Pick<Design, "background" | "backgroundRadius" | "frame">,
  text?: TextOutline,
): Surroundings {
  const ground = (path: string) => (background === "transparent" ? [] : [{ color: background, path }]);
  const inside = side + 2 * quietZone;
  if (frame === undefined) {
    const radius = background === "transparent" ? 0 : backgroundRadius;
    const space = clearance(radius);
    const width = inside + 2 * space;
    const path = box({ x: 0, y: 0, width, height: width, radii: radius });
    return { width, height: width, x: quietZone + space, y: quietZone + space, areas: ground(path) };
  }
  return frames[frame.style]({ inside, quietZone, frame, radius: backgroundRadius, ground }, text);
}

/** The drawing that a frame surrounds. */
interface Inside {
  /** Modules of the symbol with its quiet zone. */
  readonly inside: number;
  readonly quietZone: number;
  readonly frame: FrameDesign;
  /** The minimum radius of the frame's inner corners. */
  readonly radius: number;
  readonly ground: (path: string) => readonly Flat[];
}

type DrawFrame = (around: Inside, text: TextOutline | undefined) => Surroundings;

/** Returns a measure that grows with the symbol, in whole modules. */
const measure = (inside: number, share: number, least: number): number =>
  Math.max(least, Math.round(inside * share));

const frames: Readonly<Record<FrameDesign["style"], DrawFrame>> = {
  line: ({ inside, quietZone, frame, radius, ground }, text) => {
    const line = measure(inside, 0.02, 1);
    const inner = Math.max(radius, 2 * line);
    const space = clearance(inner);
    const band = text === undefined ? 0 : measure(inside, 0.15, 5);
    const width = inside + 2 * (space + line);
    const height = width + band;
    const hole = { x: line, y: line, width: width - 2 * line, height: height - 2 * line, radii: inner };
    const at = line + space + quietZone;
    // The quiet zone serves as the space above the text.
    const bandY = height - line - space - band - Math.min(quietZone, band / 4);
    const area = { x: line + space, width: inside, y: bandY, height: band };
    return {
      ...{ width, height, x: at, y: at },
      areas: [
        ...ground(
          box({ x: line / 2, y: line / 2, width: width - line, height: height - line, radii: inner }),
        ),
        { color: frame.color, path: ringOf(width, height, inner + line, hole) },
        ...written(text, area, frame.textColor),
      ],
    };
  },
  label: ({ inside, quietZone, frame, radius, ground }, text) => {
    const line = measure(inside, 0.02, 1);
    return framed({ inside, quietZone, frame, radius, ground }, text, { line, inner: 2 * line, bottom: 0 });
  },
  solid: ({ inside, quietZone, frame, radius, ground }, text) => {
    const line = measure(inside, 0.06, 2);
    return framed({ inside, quietZone, frame, radius, ground }, text, { line, inner: line, bottom: 0 });
  },
  round: ({ inside, quietZone, frame, radius, ground }, text) => {
    const line = measure(inside, 0.02, 1);
    const inner = Math.max(radius, measure(inside, 0.14, 4));
    const space = clearance(inner);
    const width = inside + 2 * (space + line);
    const pill = text === undefined ? 0 : 2 * measure(inside, 0.085, 3);
    // The pill sits on the line, and its upper half must not reach into the quiet zone.
    const more = Math.max(0, pill / 2 - space - line / 2 + 1);
    const ringHeight = width + Math.ceil(more);
    const height = ringHeight + (text === undefined ? 0 : Math.ceil(pill / 2 - line / 2));
    const hole = { x: line, y: line, width: width - 2 * line, height: ringHeight - 2 * line, radii: inner };
    const at = line + space + quietZone;
    const em = text === undefined ? 0 : emOf(text, inside - pill, pill);
    const pillWidth =
      text === undefined ? 0 : Math.min(inside, Math.max(2 * pill, text.width * em + 1.4 * pill));
    const pillArea = {
      x: (width - pillWidth) / 2,
      y: ringHeight - line / 2 - pill / 2,
      width: pillWidth,
      height: pill,
    };
    return {
      ...{ width, height, x: at, y: at },
      areas: [
        ...ground(
          box({ x: line / 2, y: line / 2, width: width - line, height: ringHeight - line, radii: inner }),
        ),
        {
          color: frame.color,
          path:
            ringOf(width, ringHeight, inner + line, hole) +
            (text === undefined ? "" : box({ ...pillArea, radii: pill / 2 })),
        },
        ...written(
          text,
          { ...pillArea, x: (width - inside) / 2 + pill / 2, width: inside - pill },
          frame.textColor,
        ),
      ],
    };
  },
};

/** Draws a frame with a hole for the symbol, and the text below the hole. */
function framed(
  { inside, quietZone, frame, radius, ground }: Inside,
  text: TextOutline | undefined,
  { line, inner: least }: { readonly line: number; readonly inner: number; readonly bottom: number },
): Surroundings {
  const inner = Math.max(radius, least);
  const space = clearance(inner);
  const hole = inside + 2 * space;
  const band = text === undefined ? line : measure(inside, 0.19, 6);
  const width = hole + 2 * line;
  const height = hole + line + band;
  const at = line + space + quietZone;
  const under = line / 2;
  return {
    ...{ width, height, x: at, y: at },
    areas: [
      ...ground(box({ x: under, y: under, width: width - line, height: hole + line, radii: inner })),
      {
        color: frame.color,
        path: ringOf(width, height, inner + line, {
          x: line,
          y: line,
          width: hole,
          height: hole,
          radii: inner,
        }),
      },
      ...written(text, { x: line + space, y: hole + line, width: inside, height: band }, frame.textColor),
    ],
  };
}

const ringOf = (width: number, height: number, radii: number, hole: Parameters<typeof box>[0]): string =>
  box({ x: 0, y: 0, width, height, radii }) + box({ ...hole, isHole: true });

/** The height of capitals, relative to the height of their background. */
const capShare = 0.4;

/** The maximum width of a text, relative to its background. */
const lineShare = 0.92;

/** Returns the modules per em for a text in an area. */
const emOf = ({ width, capHeight }: TextOutline, available: number, height: number): number =>
  Math.min((height * capShare) / capHeight, (available * lineShare) / width);

/** Centres a text in an area, vertically by the height of its capitals. */
function written(
  text: TextOutline | undefined,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
  color: string,
): Flat[] {
  if (text === undefined) return [];
  const em = emOf(text, width, height);
  const baseline = y + (height + em * text.capHeight) / 2;
  return [{ color, path: text.path(x + (width - text.width * em) / 2, baseline, em) }];
}
