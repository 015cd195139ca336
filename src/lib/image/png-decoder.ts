import { concat } from "../concat.ts";
import { colorTypes, crc32, filterTypes, pngSignature } from "./png-format.ts";
import type { Raster } from "./raster.ts";

/** A PNG that can't be decoded. The message follows the name of the field it came in. */
export class PngError extends Error {}

const malformed = "must be a PNG that is not broken";

interface Header {
  readonly width: number;
  readonly height: number;
  /** Bits per sample. */
  readonly depth: number;
  readonly colorType: number;
  readonly interlaced: boolean;
}

/** The chunks of a PNG that its pixels depend on. */
interface Chunks {
  readonly header: Header;
  readonly palette: Uint8Array;
  /** Opacities of the palette entries, or the one transparent colour. */
  readonly transparency: Uint8Array;
  readonly compressed: Uint8Array<ArrayBuffer>;
}

/** The number of samples per pixel and their permitted depths, by colour type. */
const samples = new Map<number, { readonly count: number; readonly depths: readonly number[] }>([
  [colorTypes.grey, { count: 1, depths: [1, 2, 4, 8, 16] }],
  [colorTypes.rgb, { count: 3, depths: [8, 16] }],
  [colorTypes.palette, { count: 1, depths: [1, 2, 4, 8] }],
  [colorTypes.greyAlpha, { count: 2, depths: [8, 16] }],
  [colorTypes.rgba, { count: 4, depths: [8, 16] }],
]);

const countOf = ({ colorType }: Header): number => samples.get(colorType)?.count ?? 0;

/**
 * Decodes a PNG of any kind: greyscale, truecolour or palette, of any depth, interlaced or not, with any transparency.
 * Colour profiles are ignored. Written by hand until images move to a Worker of their own.
 * @param maxSide the most pixels per side
 * @throws PngError
 */
export async function decodePng(bytes: Uint8Array<ArrayBuffer>, maxSide: number): Promise<Raster> {
  const chunks = readChunks(bytes, maxSide);
  const { header } = chunks;
  const passes = passesOf(header);
  const length = passes.reduce((sum, { height, stride }) => sum + height * (stride + 1), 0);
  const data = await inflate(chunks.compressed, length);
  const pixels = new Uint8Array(header.width * header.height * 4);
  const paint = painter(chunks, pixels);
  let at = 0;
  for (const pass of passes) {
    let above: Uint8Array = new Uint8Array(pass.stride);
    for (let row = 0; row < pass.height; row += 1) {
      const line = data.subarray(at + 1, at + 1 + pass.stride);
      unfilter(data[at] ?? 0, line, above, Math.max(1, (countOf(header) * header.depth) >> 3));
      const y = pass.y + row * pass.dy;
      paint(line, pass.width, (y * header.width + pass.x) * 4, pass.dx * 4);
      above = line;
      at += pass.stride + 1;
    }
  }
  return { width: header.width, height: header.height, pixels };
}

function readChunks(bytes: Uint8Array<ArrayBuffer>, maxSide: number): Chunks {
  if (pngSignature.some((byte, i) => bytes[i] !== byte))
    throw new PngError("must be a PNG, as it says it is");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | undefined;
  let palette = new Uint8Array();
  let transparency = new Uint8Array();
  const compressed: Uint8Array[] = [];
  for (let at = pngSignature.length; ; ) {
    if (at + 12 > bytes.length) throw new PngError(malformed);
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) {
      throw new PngError(malformed);
    }
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, end);
    if ((name === "IHDR") !== (header === undefined)) throw new PngError(malformed);
    if (name === "IEND") break;
    if (name === "IHDR") header = readHeader(data, maxSide);
    else if (name === "PLTE") palette = data;
    else if (name === "tRNS") transparency = data;
    else if (name === "IDAT") compressed.push(data);
    // A name that begins with a capital marks a chunk that decoders must not ignore.
    else if (/^[A-Z]/.test(name)) throw new PngError(malformed);
    at = end + 4;
  }
  if (header === undefined) throw new PngError(malformed);
  const { colorType } = header;
  if (colorType === colorTypes.palette && (palette.length === 0 || palette.length % 3 !== 0)) {
    throw new PngError(malformed);
  }
  return { header, palette, transparency, compressed: concat(compressed) };
}

function readHeader(data: Uint8Array, maxSide: number): Header {
  if (data.length !== 13) throw new PngError(malformed);
  const view = new DataView(data.buffer, data.byteOffset);
  const [depth = 0, colorType = 0, compression, filtering, interlacing = 0] = data.subarray(8);
  const header = {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth,
    colorType,
    interlaced: interlacing === 1,
  };
  const { width, height } = header;
  const known = samples.get(colorType)?.depths.includes(depth) === true;
  if (!known || compression !== 0 || filtering !== 0 || interlacing > 1 || width === 0 || height === 0) {
    throw new PngError(malformed);
  }
  if (width > maxSide || height > maxSide) {
    throw new PngError(
      `must be a PNG of at most ${maxSide} pixels a side; this one has ${width} × ${height}`,
    );
  }
  return header;
}

/** A reduced image of every n-th pixel: one of Adam7's seven, or the whole image if it is not interlaced. */
interface Pass {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly width: number;
  readonly height: number;
  /** Bytes per line. */
  readonly stride: number;
}

/** Start and step of Adam7's passes: x, y, dx, dy. */
const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function passesOf(header: Header): Pass[] {
  return (header.interlaced ? adam7 : ([[0, 0, 1, 1]] as const)).flatMap(([x, y, dx, dy]) => {
    const width = Math.ceil((header.width - x) / dx);
    const height = Math.ceil((header.height - y) / dy);
    const stride = Math.ceil((width * countOf(header) * header.depth) / 8);
    return width > 0 && height > 0 ? [{ x, y, dx, dy, width, height, stride }] : [];
  });
}

/** Inflates to exactly `length` bytes. Longer data is not inflated any further. */
async function inflate(compressed: Uint8Array<ArrayBuffer>, length: number): Promise<Uint8Array> {
  const inflated = new Uint8Array(length);
  let at = 0;
  try {
    const stream = new Response(compressed).body?.pipeThrough(new DecompressionStream("deflate"));
    for await (const part of stream ?? []) {
      // Throws if it does not fit.
      inflated.set(part, at);
      at += part.length;
    }
  } catch {
    throw new PngError(malformed);
  }
  if (at < length) throw new PngError(malformed);
  return inflated;
}

/** Undoes a line's filter in place. @param above the unfiltered line above @param step bytes per pixel */
function unfilter(type: number, line: Uint8Array, above: Uint8Array, step: number): void {
  if (type === filterTypes.none) return;
  if (type > filterTypes.paeth) throw new PngError(malformed);
  for (let i = 0; i < line.length; i += 1) {
    const left = i < step ? 0 : (line[i - step] ?? 0);
    const up = above[i] ?? 0;
    const upLeft = i < step ? 0 : (above[i - step] ?? 0);
    line[i] = (line[i] ?? 0) + predicted(type, left, up, upLeft);
  }
}

function predicted(type: number, left: number, up: number, upLeft: number): number {
  if (type === filterTypes.sub) return left;
  if (type === filterTypes.up) return up;
  if (type === filterTypes.average) return (left + up) >> 1;
  const fromLeft = Math.abs(up - upLeft);
  const fromUp = Math.abs(left - upLeft);
  const fromUpLeft = Math.abs(left + up - 2 * upLeft);
  if (fromLeft <= fromUp && fromLeft <= fromUpLeft) return left;
  return fromUp <= fromUpLeft ? up : upLeft;
}

/** Writes a line of `width` pixels, the first at `to`, the others `step` bytes apart. */
type Paint = (line: Uint8Array, width: number, to: number, step: number) => void;

function painter(chunks: Chunks, pixels: Uint8Array): Paint {
  const { depth, colorType } = chunks.header;
  if (colorType === colorTypes.palette) return palettePainter(chunks, pixels);
  const { transparency } = chunks;
  const count = countOf(chunks.header);
  const colors = colorType === colorTypes.rgb || colorType === colorTypes.rgba ? 3 : 1;
  // The transparent colour has two bytes a sample, whatever the depth.
  const [hiddenRed = -1, hiddenGreen = -1, hiddenBlue = -1] = Array.from({ length: colors }, (_, i) =>
    transparency.length === colors * 2
      ? ((transparency[i * 2] ?? 0) << 8) | (transparency[i * 2 + 1] ?? 0)
      : -1,
  );
  const sample = sampler(depth);
  const max = 2 ** depth - 1;
  const scaled = (value: number) => (depth === 8 ? value : Math.round((value * 255) / max));
  return (line, width, first, step) => {
    for (let x = 0, at = 0, to = first; x < width; x += 1, at += count, to += step) {
      const red = sample(line, at);
      const green = colors === 3 ? sample(line, at + 1) : red;
      const blue = colors === 3 ? sample(line, at + 2) : red;
      const isHidden = red === hiddenRed && (colors === 1 || (green === hiddenGreen && blue === hiddenBlue));
      pixels[to] = scaled(red);
      pixels[to + 1] = scaled(green);
      pixels[to + 2] = scaled(blue);
      pixels[to + 3] = count > colors ? scaled(sample(line, at + colors)) : isHidden ? 0 : 255;
    }
  };
}

function palettePainter({ header, palette, transparency }: Chunks, pixels: Uint8Array): Paint {
  const sample = sampler(header.depth);
  return (line, width, first, step) => {
    for (let x = 0, to = first; x < width; x += 1, to += step) {
      const index = sample(line, x);
      const at = index * 3;
      if (at >= palette.length) throw new PngError(malformed);
      pixels[to] = palette[at] ?? 0;
      pixels[to + 1] = palette[at + 1] ?? 0;
      pixels[to + 2] = palette[at + 2] ?? 0;
      pixels[to + 3] = transparency[index] ?? 255;
    }
  };
}

/** A function that reads the sample at an index of a line. */
function sampler(depth: number): (line: Uint8Array, index: number) => number {
  if (depth === 8) return (line, index) => line[index] ?? 0;
  if (depth === 16) return (line, index) => ((line[index * 2] ?? 0) << 8) | (line[index * 2 + 1] ?? 0);
  const max = 2 ** depth - 1;
  return (line, index) => {
    const bit = index * depth;
    return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & max;
  };
}
