import { deflateSync } from "node:zlib";
import { colorTypes, pngSignature } from "../../src/lib/image/png-format.ts";
import { pngChunk } from "./palette-png.ts";

/** The brightness of each pixel, 0 to 255, line by line. The width is even. */
interface Greys {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

const bitsPerPixel = 4;

/** Returns a picture as a PNG of 16 greys. */
export function greyPng({ width, height, values }: Greys): Uint8Array {
  const stride = width / 2 + 1;
  const lines = new Uint8Array(stride * height);
  const greyAt = (i: number) => Math.round(Math.min(255, Math.max(0, values[i] ?? 255)) / 17);
  for (let i = 0; i < width * height; i += 2) {
    // Each line begins with the number of its filter: 0 for none.
    const at = Math.floor(i / width) * stride + 1 + (i % width) / 2;
    lines[at] = (greyAt(i) << bitsPerPixel) | greyAt(i + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitsPerPixel, colorTypes.grey, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from(pngSignature),
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(lines, { level: 9 })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}
