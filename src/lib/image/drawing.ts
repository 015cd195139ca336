import type { Hex } from "./color.ts";
import type { Design, Paint } from "./design.ts";
import { center, type Place as EyePlace, ring } from "./eyes.ts";
import { surround, type TextOutline } from "./frame.ts";
import { isCovered, type Place } from "./logo-placement.ts";
import { modulePath } from "./modules.ts";
import { box, circle } from "./path.ts";
import type { QrSymbol } from "./qr-symbol.ts";

/** A code as coloured areas, from which SVG, PNG and PDF are made. Lengths are in modules. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Where the symbol is, which gradients span. Its position is a whole number of modules. */
  readonly symbol: { readonly x: number; readonly y: number; readonly side: number };
  /** From bottom to top. Each is SVG path data in the drawing's coordinates, with the nonzero rule. */
  readonly layers: readonly Layer[];
  /** On top of the layers. */
  readonly logo?: DrawnLogo | undefined;
}

interface Layer {
  readonly fill: Paint;
  readonly path: string;
}

/** A logo's file. */
export interface LogoFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

interface PlacedLogo extends LogoFile {
  readonly place: Place;
}

interface DrawnLogo extends LogoFile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The radius of the circle around its centre to which it is clipped. */
  readonly clip?: number | undefined;
}

/** The parts of a code besides its symbol and its design. */
interface Extras {
  /** Empty modules around the symbol. */
  readonly quietZone: number;
  readonly text?: TextOutline | undefined;
  readonly logo?: PlacedLogo | undefined;
}

/** Draws a code. */
export function drawCode(whole: QrSymbol, design: Design, { quietZone, text, logo }: Extras): Drawing {
  const symbol = logo === undefined || logo.place.cutout === "none" ? whole : without(whole, logo.place);
  const around = surround(symbol.side, quietZone, design, text);
  const at = { x: around.x, y: around.y };
  // The styles draw at the symbol's own origin, so that equal symbols have equal paths.
  const layers: Layer[] = [
    ...around.areas.map(({ color, path }) => ({ fill: { color: color as Hex }, path })),
    ...groundOfLogo(design, symbol.side, logo, at),
    { fill: design.dots, path: dots(symbol, design, at) },
    { fill: design.corners, path: eyes(symbol.side, design, at) },
  ];
  return {
    width: around.width,
    height: around.height,
    symbol: { ...at, side: symbol.side },
    layers: joined(layers),
    logo: logo && drawnLogo(logo, at),
  };
}

interface Offset {
  readonly x: number;
  readonly y: number;
}

/** Merges consecutive layers of the same fill into one path, which has no seams. */
function joined(layers: readonly Layer[]): Layer[] {
  const result: Layer[] = [];
  for (const layer of layers) {
    const last = result.at(-1);
    if (last !== undefined && isSame(last.fill, layer.fill)) {
      result.splice(-1, 1, { fill: last.fill, path: last.path + layer.path });
    } else if (layer.path !== "") {
      result.push(layer);
    }
  }
  return result;
}

const isSame = (one: Paint, other: Paint): boolean =>
  one.color === other.color && one.gradient === other.gradient;

/** The modules except those of the eyes. */
function dots(symbol: QrSymbol, design: Design, offset: Offset): string {
  const { side } = symbol;
  const { modules, eyeFrame } = design;
  const area = Math.max(offset.x, offset.y) + side;
  // Alignment patterns are drawn as small eyes. If a logo covers part of one, the rest is drawn as modules.
  const isFlowing = modules === "square" || modules === "rounded" || modules === "connected";
  const whole = symbol.alignments.filter((pattern) => isWhole(symbol, pattern));
  const isSeparate = (x: number, y: number) =>
    !(isFlowing && eyeFrame === "square") &&
    whole.some((pattern) => Math.abs(pattern.x - x) <= 2 && Math.abs(pattern.y - y) <= 2);
  const patterns = isFlowing && eyeFrame === "square" ? [] : whole;
  const isDot = (x: number, y: number) => {
    const module = symbol.at(x - offset.x, y - offset.y);
    return (module === "dot" || module === "alignment") && !isSeparate(x - offset.x, y - offset.y);
  };
  const rings = patterns.map(({ x, y }) => {
    const square = { x: x - 2 + offset.x, y: y - 2 + offset.y, side: 5 };
    const middle = { x: x + offset.x, y: y + offset.y, side: 1 };
    const form = eyeFrame === "square" || eyeFrame === "cut" ? "square" : "circle";
    return ring(square, eyeFrame, "lowerRight") + center(middle, form, eyeFrame, "lowerRight");
  });
  return modulePath(modules, area, isDot) + rings.join("");
}

/** Returns whether nothing covers an alignment pattern. */
const isWhole = (symbol: QrSymbol, { x, y }: Offset): boolean =>
  [-2, -1, 0, 1, 2].every((dx) =>
    [-2, 2].every(
      (d) => symbol.at(x + dx, y + d) === "alignment" && symbol.at(x + d, y + dx) === "alignment",
    ),
  ) && symbol.at(x, y) === "alignment";

function eyes(side: number, { eyeFrame, eyeCenter }: Design, offset: Offset): string {
  const far = side - 7;
  const places: readonly (readonly [EyePlace, number, number])[] = [
    ["upperLeft", 0, 0],
    ["upperRight", far, 0],
    ["lowerLeft", 0, far],
  ];
  return places
    .map(([place, left, top]) => {
      const [x, y] = [left + offset.x, top + offset.y];
      return (
        ring({ x, y, side: 7 }, eyeFrame, place) +
        center({ x: x + 2, y: y + 2, side: 3 }, eyeCenter, eyeFrame, place)
      );
    })
    .join("");
}

/** Returns a symbol without the modules that a logo covers. */
const without = (symbol: QrSymbol, place: Place): QrSymbol => ({
  ...symbol,
  at: (x, y) => (isCovered(place, symbol.side, x, y) ? "light" : symbol.at(x, y)),
});

/** Draws white behind the logo of a transparent code, because most paper is white. */
function groundOfLogo(
  { background }: Design,
  side: number,
  logo: PlacedLogo | undefined,
  { x, y }: Offset,
): Layer[] {
  if (logo === undefined || background !== "transparent" || logo.place.cutout === "none") return [];
  const { box: area, cutout, radius } = logo.place;
  const middle = { x: x + side / 2, y: y + side / 2 };
  const path =
    cutout === "circle"
      ? circle(middle, radius)
      : box({ x: area.x + x, y: area.y + y, width: area.width, height: area.height });
  return [{ fill: { color: "#ffffff" }, path }];
}

function drawnLogo({ mediaType, bytes, place }: PlacedLogo, { x, y }: Offset): DrawnLogo {
  const { logo, cutout } = place;
  const clip = cutout === "circle" ? Math.max(logo.width, logo.height) / 2 : undefined;
  return { mediaType, bytes, ...logo, x: logo.x + x, y: logo.y + y, clip };
}
