/** A palette's entry: red, green, blue and opacity, 0 to 255 each. */
export type Rgba = readonly [number, number, number, number];

/**
 * What a pixel is: one byte, the index of a colour in a palette of at most 256, or the colour itself as bytes of red,
 * green and blue, with or without opacity.
 */
export type PixelFormat = readonly Rgba[] | "rgb" | "rgba";

/** The first bytes of every PNG. */
export const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;

/** Colour types, as the PNG specification numbers them. */
export const colorTypes = { grey: 0, rgb: 2, palette: 3, greyAlpha: 4, rgba: 6 } as const;

/** Filter types of a line, as the PNG specification numbers them. */
export const filterTypes = { none: 0, sub: 1, up: 2, average: 3, paeth: 4 } as const;

/** Bytes that are handed to the compression at once, at least. */
const portion = 1 << 20;

/**
 * A square PNG.
 * @param size pixels of a side
 * @param line the pixels of a line, by its number; the same array for lines that are alike
 */
export async function encodePng(
  size: number,
  format: PixelFormat,
  line: (y: number) => Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const colorType = typeof format === "string" ? colorTypes[format] : colorTypes.palette;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, size);
  view.setUint32(4, size);
  header.set([8, colorType, 0, 0, 0], 8);
  return concat([
    new Uint8Array(pngSignature),
    chunk("IHDR", header),
    ...(typeof format === "string" ? [] : paletteChunks(format)),
    chunk("IDAT", await deflate(filtered(size, line))),
    chunk("IEND", new Uint8Array()),
  ]);
}

function paletteChunks(palette: readonly Rgba[]): Uint8Array[] {
  const colors = chunk("PLTE", new Uint8Array(palette.flatMap((color) => color.slice(0, 3))));
  const opacities = palette.map(([, , , opacity]) => opacity);
  if (opacities.every((opacity) => opacity === 255)) return [colors];
  return [colors, chunk("tRNS", new Uint8Array(opacities))];
}

/** The lines, each after its filter type, in portions: a large image must not be in memory as a whole. */
function* filtered(size: number, line: (y: number) => Uint8Array): Generator<Uint8Array> {
  let above: Uint8Array | undefined;
  let portionLines: Uint8Array[] = [];
  let length = 0;
  for (let y = 0; y < size; y += 1) {
    const here = line(y);
    const filteredLine = new Uint8Array(here.length + 1);
    // Filtered so, a line like the one above it is all zeros, which compress to nearly nothing.
    if (here === above) filteredLine[0] = filterTypes.up;
    else filteredLine.set(here, 1);
    above = here;
    portionLines.push(filteredLine);
    length += filteredLine.length;
    if (length >= portion) {
      yield concat(portionLines);
      portionLines = [];
      length = 0;
    }
  }
  if (length > 0) yield concat(portionLines);
}

async function deflate(portions: Iterable<Uint8Array>): Promise<Uint8Array> {
  const source = portions[Symbol.iterator]();
  const stream = new ReadableStream<Uint8Array>({
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

/** Length, name, data, and the check sum over name and data. */
function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

/** What each byte does to the check sum: CRC-32 with the reversed polynomial, as PNG asks for. */
const crcOf = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The check sum of a chunk's name and data. */
export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (crcOf[(sum ^ byte) & 0xff] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}

/** Bytes one after another. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
