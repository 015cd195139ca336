import type { SeededRandom } from "../runner/seeded-random.ts";

/** How a PNG encodes its pixels. */
export interface PngKind {
  /**
   * As numbered in the PNG specification: grey 0, truecolour 2, palette 3, grey with alpha 4, truecolour with alpha 6.
   */
  readonly colorType: 0 | 2 | 3 | 4 | 6;
  readonly depth: 1 | 2 | 4 | 8 | 16;
  readonly interlaced: boolean;
  /** Whether it has a tRNS chunk; only for colour types without alpha. */
  readonly transparency: boolean;
}

/** All valid combinations. */
export const pngKinds: PngKind[] = [
  ...[1, 2, 4, 8, 16].map((depth) => [0, depth]),
  ...[8, 16].flatMap((depth) => [2, 4, 6].map((colorType) => [colorType, depth])),
  ...[1, 2, 4, 8].map((depth) => [3, depth]),
].flatMap(([colorType = 0, depth = 0]) =>
  [false, true].flatMap((interlaced) =>
    (colorType < 4 ? [false, true] : [false]).map(
      (transparency) => ({ colorType, depth, interlaced, transparency }) as PngKind,
    ),
  ),
);

/** Returns a PNG chunk. */
export function pngChunk(name: string, data: Uint8Array | number[]): Uint8Array {
  const body = new Uint8Array([...new TextEncoder().encode(name), ...data]);
  const whole = new Uint8Array(body.length + 8);
  const view = new DataView(whole.buffer);
  view.setUint32(0, body.length - 4);
  whole.set(body, 4);
  let sum = -1;
  for (const byte of body) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  view.setUint32(body.length + 4, ~sum >>> 0);
  return whole;
}

export const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export function join(...parts: (Uint8Array | number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Response(bytes).body?.pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream ?? null).arrayBuffer());
}

export const imageHeader = (width: number, height: number, kind: PngKind): Uint8Array => {
  const data = new Uint8Array(13);
  const view = new DataView(data.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  data.set([kind.depth, kind.colorType, 0, 0, kind.interlaced ? 1 : 0], 8);
  return pngChunk("IHDR", data);
};

const sampleCounts = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

/** Creates a PNG with random filters. @param samplesAt returns the samples of a pixel; random by default */
export async function makePng(
  random: SeededRandom,
  kind: PngKind,
  width: number,
  height: number,
  samplesAt = (_x: number, _y: number, count: number, end: number): number[] =>
    Array.from({ length: count }, () => random.below(end)),
): Promise<Uint8Array<ArrayBuffer>> {
  const { colorType, depth, interlaced, transparency } = kind;
  const count = sampleCounts[colorType];
  const end = 2 ** depth;
  const passes = interlaced
    ? [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ]
    : [[0, 0, 1, 1]];
  const data: number[] = [];
  const step = Math.max(1, (count * depth) / 8);
  for (const [left = 0, top = 0, dx = 1, dy = 1] of passes) {
    if (left >= width) continue;
    let above: number[] = [];
    for (let y = top; y < height; y += dy) {
      let bits = "";
      for (let x = left; x < width; x += dx) {
        for (const sample of samplesAt(x, y, count, end)) bits += sample.toString(2).padStart(depth, "0");
      }
      const line = (bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2));
      const filter = random.below(5);
      data.push(filter, ...line.map((byte, i) => (byte - predict(filter, line, above, i, step)) & 255));
      above = line;
    }
  }
  const compressed = await deflate(new Uint8Array(data));
  const half = compressed.length >> 1;
  const bytes = (length: number) => Array.from({ length }, () => random.below(256));
  return join(
    pngHead,
    imageHeader(width, height, kind),
    pngChunk("tEXt", [...new TextEncoder().encode("Comment\0a logo")]),
    ...(colorType === 3 ? [pngChunk("PLTE", bytes(3 * end))] : []),
    ...(transparency && colorType === 3 ? [pngChunk("tRNS", bytes(Math.max(1, end >> 1)))] : []),
    ...(transparency && colorType !== 3
      ? [
          pngChunk(
            "tRNS",
            samplesAt(0, 0, count, end).flatMap((sample) => [sample >> 8, sample & 255]),
          ),
        ]
      : []),
    pngChunk("IDAT", compressed.subarray(0, half)),
    pngChunk("IDAT", compressed.subarray(half)),
    pngChunk("IEND", []),
  );
}

/** Returns a filter's prediction of a byte. */
function predict(filter: number, line: number[], above: number[], i: number, step: number): number {
  const a = line[i - step] ?? 0;
  const b = above[i] ?? 0;
  const c = i < step ? 0 : (above[i - step] ?? 0);
  const p = a + b - c;
  const nearest = [a, b, c].reduce((best, each) => (Math.abs(p - each) < Math.abs(p - best) ? each : best));
  return [0, a, b, (a + b) >> 1, nearest][filter] ?? 0;
}

/** Creates a PNG of a single colour. */
export const plainPng = (random: SeededRandom, color: readonly number[], width: number, height: number) =>
  makePng(
    random,
    { colorType: color.length === 4 ? 6 : 2, depth: 8, interlaced: false, transparency: false },
    width,
    height,
    () => [...color],
  );

export const svgBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(new TextEncoder().encode(text));

/** Creates an SVG with these contents, 100 units wide. */
export const svg = (contents: string, attributes = 'viewBox="0 0 100 100"'): Uint8Array<ArrayBuffer> =>
  svgBytes(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${contents}</svg>`);

export function dataUri(bytes: Uint8Array, mediaType?: string): string {
  const type = mediaType ?? (bytes[0] === pngHead[0] ? "image/png" : "image/svg+xml");
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `data:${type};base64,${btoa(binary)}`;
}

/** A JPEG of 40 × 20 blue pixels. */
export const blueJpeg: Uint8Array<ArrayBuffer> = Uint8Array.from(
  atob(
    [
      "/9j/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBD",
      "AQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAUACgD",
      "ASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG",
      "E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4",
      "eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6",
      "/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEI",
      "FEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaH",
      "iImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIR",
      "AxEAPwDgqKKK/STjCiiigAooooAKKKKACiiigAooooA//9k=",
    ].join(""),
  ),
  (character) => character.charCodeAt(0),
);
