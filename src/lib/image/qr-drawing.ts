import { channels, type Hex } from "./color.ts";
import type { Design } from "./design.ts";
import { type Area, clearArea, type Place } from "./logo-placement.ts";
import { outline } from "./outline.ts";
import { encodePng, type Rgba } from "./png-encoder.ts";
import type { Module, QrSymbol } from "./qr-symbol.ts";

/** The size of an image and its quiet zone. */
export interface Frame {
  /** Pixels per side. */
  readonly size: number;
  /** Empty modules around the code. */
  readonly margin: number;
}

/** A logo to embed in an SVG. */
export interface PlacedFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly place: Place;
}

/** The code as SVG: one path per colour, in units of modules, and the logo as an image on top. */
export function drawSvg(whole: QrSymbol, { size, margin }: Frame, design: Design, logo?: PlacedFile): string {
  const symbol = logo === undefined ? whole : clearArea(whole, logo.place.box);
  const side = symbol.side + 2 * margin;
  const at = (x: number, y: number) => symbol.at(x - margin, y - margin);
  const squares = (...modules: Module[]) => outline(side, (x, y) => modules.includes(at(x, y)));
  const dots =
    design.modules === "dots" ? circles(side, at) + squares("alignment") : squares("dot", "alignment");
  const { background } = design;
  const areas = [
    [background, rectangle({ x: 0, y: 0, width: side, height: side })],
    ...(logo && background === "transparent"
      ? [[boxColor(design), rectangle(shifted(logo.place.box, margin))]]
      : []),
    [design.dots.color, dots],
    [design.corners.color, squares("finder")],
  ] as const;
  const byColor = new Map<string, string>();
  for (const [color, path] of areas) byColor.set(color, (byColor.get(color) ?? "") + path);
  byColor.delete("transparent");
  const drawn = [...byColor].map(([color, path]) => `<path fill="${color}" d="${path}"/>`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}">` +
    `${drawn.join("")}${logo === undefined ? "" : image(logo, margin)}</svg>\n`
  );
}

/** The colour of the box behind a logo: white for a transparent code, because most paper is white. */
const boxColor = ({ background }: Design): Hex => (background === "transparent" ? "#ffffff" : background);

const rectangle = ({ x, y, width, height }: Area): string => `M${x} ${y}h${width}v${height}h-${width}z`;

const shifted = ({ x, y, ...size }: Area, by: number): Area => ({ x: x + by, y: y + by, ...size });

/**
 * The logo as an element. Base64 keeps the file from closing the element, and Illustrator needs `xlink:href`. The area
 * has the image's proportions, so `slice` crops nothing of the logo; it makes every renderer clip what an SVG draws
 * outside its own edges, which would cover modules.
 */
function image({ mediaType, bytes, place }: PlacedFile, margin: number): string {
  const area = Object.entries(shifted(place.logo, margin)).map(
    ([name, value]) => `${name}="${Number(value.toFixed(4))}"`,
  );
  return (
    `<image xmlns:xlink="http://www.w3.org/1999/xlink" ${area.join(" ")} preserveAspectRatio="xMidYMid slice" ` +
    `xlink:href="data:${mediaType};base64,${bytes.toBase64()}"/>`
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

/** Pixels per module in a PNG: a whole number, so that all modules are equally wide. 0 if the image is too small. */
export const pixelsOfModule = (symbol: QrSymbol, { size, margin }: Frame): number =>
  Math.floor(size / (symbol.side + 2 * margin));

/** Shades between the background and the dots, for the edges of circles. */
const shades = 64;
const cornerIndex = shades + 1;

/**
 * The code as PNG with a palette. Pixels left over by whole modules go to the margin.
 * @throws if the image is too small for one pixel per module
 */
export function drawPng(symbol: QrSymbol, frame: Frame, design: Design): Promise<Uint8Array<ArrayBuffer>> {
  const pitch = pixelsOfModule(symbol, frame);
  if (pitch === 0) throw new Error("less than one pixel per module");
  const grid = { pitch, offset: Math.floor((frame.size - pitch * symbol.side) / 2) };
  return encodePng(frame.size, pixelPalette(design), paletteLines(symbol, frame.size, grid, design));
}

/** The position of modules in a PNG, in pixels: the width of each, and the start of the first. */
interface Grid {
  readonly pitch: number;
  readonly offset: number;
}

/** The pixels of a line, by its number; the same array for equal lines. */
type Lines = (y: number) => Uint8Array;

/** The code's lines, as indices of the palette. */
function paletteLines(symbol: QrSymbol, size: number, { pitch, offset }: Grid, design: Design): Lines {
  const dot = design.modules === "dots" ? circle(pitch) : undefined;

  /** A line of pixels through a row of modules. @param dotLine the line's part of a circle; undefined for squares */
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

/** The background, the shades up to the dots' colour, and the corners' colour. */
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

/** The shade of each pixel of a module that holds a circle, by how much of the pixel is covered. */
function circle(pitch: number): Uint8Array {
  const radius = pitch / 2;
  return Uint8Array.from({ length: pitch * pitch }, (_, i) => {
    const x = (i % pitch) + 0.5 - radius;
    const y = Math.floor(i / pitch) + 0.5 - radius;
    const covered = Math.min(1, Math.max(0, radius - Math.hypot(x, y) + 0.5));
    return Math.round(covered * shades);
  });
}
