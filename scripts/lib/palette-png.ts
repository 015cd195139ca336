import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { crc32, deflateSync } from "node:zlib";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { pngSignature } from "../../src/lib/image/png-format.ts";

const maxColors = 256;

/** Returns the distance of two colours as a sum of squares. Each number holds red, green and blue. */
const distance = (a: number, b: number): number =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2;

let ready: Promise<void> | undefined;

async function decode(png: Uint8Array<ArrayBuffer>) {
  ready ??= initWasm(readFileSync(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")));
  await ready;
  const view = new DataView(png.buffer, png.byteOffset);
  const size = `width="${view.getUint32(16)}" height="${view.getUint32(20)}"`;
  const image = `<image ${size} href="data:image/png;base64,${Buffer.from(png).toString("base64")}"/>`;
  return new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${image}</svg>`).render();
}

/**
 * Converts a picture with few colours to a PNG with a palette, which is about half as large. Rare colours are replaced
 * with similar ones.
 */
export async function withPalette(png: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const { width, height, pixels } = await decode(png);
  const colors = new Uint32Array(width * height);
  const counts = new Map<number, number>();
  for (let i = 0; i < colors.length; i += 1) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(i * 4, i * 4 + 3);
    const color = (red << 16) | (green << 8) | blue;
    colors[i] = color;
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  const palette = byCount.slice(0, maxColors);
  const indexes = new Map(
    byCount.map((color, i) => {
      if (i < maxColors) return [color, i];
      const nearest = palette.reduce(
        (best, each, index) => (distance(color, each) < distance(color, palette[best] ?? 0) ? index : best),
        0,
      );
      return [color, nearest];
    }),
  );
  const lines = new Uint8Array((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      lines[y * (width + 1) + 1 + x] = indexes.get(colors[y * width + x] ?? 0) ?? 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per pixel, with a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const entries = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]));
  return Buffer.concat([
    Buffer.from(pngSignature),
    pngChunk("IHDR", header),
    pngChunk("PLTE", entries),
    pngChunk("IDAT", deflateSync(lines, { level: 9 })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Returns a part of a PNG. */
export function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "ascii"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
