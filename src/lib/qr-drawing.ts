import { channels, type Hex } from "./color.ts";
import { outline } from "./outline.ts";
import { encodePng, type Rgba } from "./png.ts";
import type { Module, QrSymbol } from "./qr-symbol.ts";

/** How a QR code looks. The patterns that readers look for are squares in every shape. */
export interface Design {
  readonly dots: Hex;
  readonly corners: Hex;
  readonly background: Hex | "transparent";
  readonly shape: "square" | "circle";
}

/** An image of a QR code. */
export interface Frame {
  /** Pixels of a side. */
  readonly size: number;
  /** Empty modules around the code. */
  readonly margin: number;
}

/** The code as SVG: one path for each colour, on a square of modules. */
export function drawSvg(symbol: QrSymbol, { size, margin }: Frame, design: Design): string {
  const side = symbol.side + 2 * margin;
  const at = (x: number, y: number) => symbol.at(x - margin, y - margin);
  const squares = (...modules: Module[]) => outline(side, (x, y) => modules.includes(at(x, y)));
  const dots =
    design.shape === "circle" ? circles(side, at) + squares("alignment") : squares("dot", "alignment");
  const areas = [
    [design.background, `M0 0h${side}v${side}h-${side}z`],
    [design.dots, dots],
    [design.corners, squares("finder")],
  ] as const;
  const byColor = new Map<string, string>();
  for (const [color, path] of areas) byColor.set(color, (byColor.get(color) ?? "") + path);
  byColor.delete("transparent");
  const drawn = [...byColor].map(([color, path]) => `<path fill="${color}" d="${path}"/>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}">` +
    `${drawn.join("")}</svg>\n`
  );
}

function circles(side: number, at: (x: number, y: number) => Module): string {
  let path = "";
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      if (at(x, y) === "dot") path += `M${x} ${y + 0.5}a.5.5 0 1 1 1 0a.5.5 0 1 1-1 0z`;
    }
  }
  return path;
}

/** Pixels of a module in a PNG: a whole number, so that every module is as wide as the next. 0 if none fits. */
export const pixelsOfModule = (symbol: QrSymbol, { size, margin }: Frame): number =>
  Math.floor(size / (symbol.side + 2 * margin));

/** How many shades there are between background and dots, for the edges of circles. */
const shades = 64;
const cornerIndex = shades + 1;

/** The code as PNG. What is left over by whole modules goes to the margin. @throws where no module has a pixel */
export function drawPng(symbol: QrSymbol, frame: Frame, design: Design): Promise<Uint8Array<ArrayBuffer>> {
  const pitch = pixelsOfModule(symbol, frame);
  if (pitch === 0) throw new Error("no pixel for a module");
  const offset = Math.floor((frame.size - pitch * symbol.side) / 2);
  const dot = design.shape === "circle" ? circle(pitch) : undefined;

  /** A line through a row of modules. @param dotLine what the line sees of a dot; undefined for all of it */
  const draw = (row: number, dotLine: Uint8Array | undefined): Uint8Array => {
    const line = new Uint8Array(frame.size);
    for (let column = 0; column < symbol.side; column += 1) {
      const module = symbol.at(column, row);
      if (module === "light") continue;
      const from = offset + column * pitch;
      if (module === "dot" && dotLine !== undefined) line.set(dotLine, from);
      else line.fill(module === "finder" ? cornerIndex : shades, from, from + pitch);
    }
    return line;
  };

  const empty = new Uint8Array(frame.size);
  let last: { key: number; line: Uint8Array } = { key: -1, line: empty };
  return encodePng(frame.size, paletteOf(design), (y) => {
    const row = Math.floor((y - offset) / pitch);
    if (row < 0 || row >= symbol.side) return empty;
    // Squares look the same on every line of a row.
    const key = dot === undefined ? row : y;
    if (last.key !== key) {
      const within = (y - offset) % pitch;
      last = { key, line: draw(row, dot?.subarray(within * pitch, (within + 1) * pitch)) };
    }
    return last.line;
  });
}

/** Background, the shades up to the dots' colour, and the corners' colour. */
function paletteOf({ dots, corners, background }: Design): Rgba[] {
  const [red, green, blue] = channels(dots);
  const blends = Array.from({ length: shades + 1 }, (_, shade): Rgba => {
    const part = shade / shades;
    if (background === "transparent") return [red, green, blue, Math.round(255 * part)];
    const [r, g, b] = channels(background);
    const mix = (from: number, to: number) => Math.round(from + (to - from) * part);
    return [mix(r, red), mix(g, green), mix(b, blue), 255];
  });
  return [...blends, [...channels(corners), 255]];
}

/** How much a circle as wide as a module covers of each of its pixels, in shades. */
function circle(pitch: number): Uint8Array {
  const radius = pitch / 2;
  return Uint8Array.from({ length: pitch * pitch }, (_, i) => {
    const x = (i % pitch) + 0.5 - radius;
    const y = Math.floor(i / pitch) + 0.5 - radius;
    const covered = Math.min(1, Math.max(0, radius - Math.hypot(x, y) + 0.5));
    return Math.round(covered * shades);
  });
}
