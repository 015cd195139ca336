/** A palette's entry: red, green, blue and opacity, 0 to 255 each. */
export type Rgba = readonly [number, number, number, number];

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const indexedColor = 3;
/** Filter types of a line, as the PNG specification numbers them. */
const plain = 0;
const sameAsAbove = 2;

/**
 * A square PNG of palette colours.
 * @param size pixels of a side
 * @param palette at most 256 colours
 * @param line the palette's index of each pixel, by the line's number; the same array for lines that are alike
 */
export async function encodePng(
  size: number,
  palette: readonly Rgba[],
  line: (y: number) => Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const stride = size + 1;
  const lines = new Uint8Array(stride * size);
  let above: Uint8Array | undefined;
  for (let y = 0; y < size; y += 1) {
    const here = line(y);
    if (here === above) {
      // Filtered so, a line like the one above it is all zeros, which compress to nearly nothing.
      lines[y * stride] = sameAsAbove;
    } else {
      lines[y * stride] = plain;
      lines.set(here, y * stride + 1);
    }
    above = here;
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, size);
  view.setUint32(4, size);
  header.set([8, indexedColor, 0, 0, 0], 8);
  return concat([
    new Uint8Array(signature),
    chunk("IHDR", header),
    chunk("PLTE", new Uint8Array(palette.flatMap((color) => color.slice(0, 3)))),
    ...(palette.every(([, , , opacity]) => opacity === 255)
      ? []
      : [chunk("tRNS", new Uint8Array(palette.map(([, , , opacity]) => opacity)))]),
    chunk("IDAT", await deflate(lines)),
    chunk("IEND", new Uint8Array()),
  ]);
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const compressed = new Response(bytes).body?.pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(compressed ?? null).arrayBuffer());
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

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (crcOf[(sum ^ byte) & 0xff] ?? 0);
  return (sum ^ 0xffffffff) >>> 0;
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
