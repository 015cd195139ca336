import { concat } from "../concat.ts";
import { crc32 } from "../crc32.ts";
import { colorTypes, filterTypes, pngSignature } from "./png-format.ts";

/** A palette entry: red, green, blue and opacity, 0 to 255 each. */
export type Rgba = readonly [number, number, number, number];

/** The minimum number of bytes to compress at once. */
const minChunkBytes = 1 << 20;

/**
 * Encodes a square PNG with a palette of at most 256 colours. Small, because it is loaded beside the redirect.
 * @param size pixels per side
 * @param line returns a line's pixels as palette indices, by line number; the same array for equal consecutive lines
 */
export async function encodePng(
  size: number,
  palette: readonly Rgba[],
  line: (y: number) => Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  return fileOf(
    { width: size, height: size },
    colorTypes.palette,
    paletteChunks(palette),
    filtered(size, line),
  );
}

/** Encodes a PNG of colours. @param pixels red, green and blue, 0 to 255 each, line by line */
export function encodeColors(
  size: { readonly width: number; readonly height: number },
  pixels: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height } = size;
  const lines = filtered(height, (y) => pixels.subarray(3 * width * y, 3 * width * (y + 1)));
  return fileOf(size, colorTypes.rgb, [], lines);
}

async function fileOf(
  { width, height }: { readonly width: number; readonly height: number },
  colorType: number,
  palette: readonly Uint8Array[],
  lines: Iterable<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, colorType, 0, 0, 0], 8);
  return concat([
    new Uint8Array(pngSignature),
    chunk("IHDR", header),
    ...palette,
    chunk("IDAT", await deflate(lines)),
    chunk("IEND", new Uint8Array()),
  ]);
}

function paletteChunks(palette: readonly Rgba[]): Uint8Array[] {
  const colors = chunk("PLTE", new Uint8Array(palette.flatMap((color) => color.slice(0, 3))));
  const opacities = palette.map(([, , , opacity]) => opacity);
  if (opacities.every((opacity) => opacity === 255)) return [colors];
  return [colors, chunk("tRNS", new Uint8Array(opacities))];
}

/** The lines, each after its filter type, in chunks, so that a large image is never in memory as a whole. */
function* filtered(size: number, line: (y: number) => Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  let above: Uint8Array | undefined;
  let chunkLines: Uint8Array[] = [];
  let length = 0;
  for (let y = 0; y < size; y += 1) {
    const here = line(y);
    const filteredLine = new Uint8Array(here.length + 1);
    // With this filter, a line equal to the one above becomes zeros, which compress to almost nothing.
    if (here === above) filteredLine[0] = filterTypes.up;
    else filteredLine.set(here, 1);
    above = here;
    chunkLines.push(filteredLine);
    length += filteredLine.length;
    if (length >= minChunkBytes) {
      yield concat(chunkLines);
      chunkLines = [];
      length = 0;
    }
  }
  if (length > 0) yield concat(chunkLines);
}

async function deflate(chunks: Iterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  const source = chunks[Symbol.iterator]();
  const stream = new ReadableStream<BufferSource>({
    pull(controller) {
      const { done, value } = source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Uint8Array(
    await new Response(stream.pipeThrough(new CompressionStream("deflate"))).arrayBuffer(),
  );
}

/** Returns a PNG chunk: length, name, data, and the checksum of name and data. */
function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}
