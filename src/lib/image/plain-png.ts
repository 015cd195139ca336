import { channels } from "./color.ts";
import type { Design } from "./design.ts";
import { encodePng, type Rgba } from "./png-encoder.ts";
import type { QrSymbol } from "./qr-symbol.ts";

/** The size of an image and its quiet zone. */
export interface Frame {
  /** Pixels per side. */
  readonly size: number;
  /** Empty modules around the code. */
  readonly margin: number;
}

/**
 * Returns the pixels per module of a PNG: a whole number, so that all modules are equally wide. 0 if the image is too
 * small.
 */
const pixelsOfModule = (symbol: QrSymbol, { size, margin }: Frame): number =>
  Math.floor(size / (symbol.side + 2 * margin));

/** Shades between background and dots, for the edges of circles. */
const shades = 64;
const cornerIndex = shades + 1;

/**
 * Draws the code as PNG with a palette. Pixels left over by whole modules go to the margin.
 * @throws if the image is too small for one pixel per module
 */
export function drawPng(symbol: QrSymbol, frame: Frame, design: Design): Promise<Uint8Array<ArrayBuffer>> {
  const pitch = pixelsOfModule(symbol, frame);
  if (pitch === 0) throw new Error("less than one pixel per module");
  const grid = { pitch, offset: Math.floor((frame.size - pitch * symbol.side) / 2) };
  return encodePng(frame.size, pixelPalette(design), paletteLines(symbol, frame.size, grid, design));
}

/** The positions of modules in a PNG, in pixels: the width of each, and the start of the first. */
interface Grid {
  readonly pitch: number;
  readonly offset: number;
}

/** Returns the pixels of a line, by number; the same array for equal lines. */
type Lines = (y: number) => Uint8Array;

/** Returns the code's lines, as palette indices. */
function paletteLines(symbol: QrSymbol, size: number, { pitch, offset }: Grid, design: Design): Lines {
  const dot = design.modules === "dots" ? circle(pitch) : undefined;

  /**
   * Draws a line of pixels through a row of modules. @param dotLine the line's part of a circle; undefined for squares
   */
  const draw = (row: number, dotLine: Uint8Array | undefined): Uint8Array => {
    const line = new Uint8Array(size);
    for (let column = 0; column < symbol.side; column += 1) {
      const module = symbol.at(column, row);
      if (module === "light") continue;
      const from = offset + column * pitch;
      if (module === "dot" && dotLine !== undefined) line.set(dotLine, from);
      else line.fill(module === "finder" ? cornerIndex : shades, from, from + pitch);
    }
    return line;
  };

  const empty = new Uint8Array(size);
  let last: { key: number; line: Uint8Array } = { key: -1, line: empty };
  return (y) => {
    const row = Math.floor((y - offset) / pitch);
    if (row < 0 || row >= symbol.side) return empty;
    // Squares look the same on every line of a row.
    const key = dot === undefined ? row : y;
    if (last.key !== key) {
      const rowInModule = (y - offset) % pitch;
      last = { key, line: draw(row, dot?.subarray(rowInModule * pitch, (rowInModule + 1) * pitch)) };
    }
    return last.line;
  };
}

/** Returns the background, the shades up to the dots' colour, and the corners' colour. */
function pixelPalette({ dots, corners, background }: Design): Rgba[] {
  const [red, green, blue] = channels(dots.color);
  const blends = Array.from({ length: shades + 1 }, (_, shade): Rgba => {
    const part = shade / shades;
    if (background === "transparent") return [red, green, blue, Math.round(255 * part)];
    const [r, g, b] = channels(background);
    const mix = (from: number, to: number) => Math.round(from + (to - from) * part);
    return [mix(r, red), mix(g, green), mix(b, blue), 255];
  });
  return [...blends, [...channels(corners.color), 255]];
}

/** Returns the shade of each pixel in a module with a circle, by how much of the pixel it covers. */
function circle(pitch: number): Uint8Array {
  const radius = pitch / 2;
  return Uint8Array.from({ length: pitch * pitch }, (_, i) => {
    const x = (i % pitch) + 0.5 - radius;
    const y = Math.floor(i / pitch) + 0.5 - radius;
    const covered = Math.min(1, Math.max(0, radius - Math.hypot(x, y) + 0.5));
    return Math.round(covered * shades);
  });
}
