import type { Area } from "../../../src/lib/print/sheets.ts";
import type { Picture } from "./decoders.ts";

/** A part of a raster, in pixels. */
export function crop({ width: stride, data }: Picture, { x, y, width, height }: Area): Picture {
  const part = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * stride + x) * 4;
    part.set(data.subarray(from, from + width * 4), row * width * 4);
  }
  return { width, height, data: part };
}

/** The bounds of the dark pixels of a raster: left, top, right, bottom. Nothing dark has its right edge left of its left one. */
export function darkBounds({ width, height, data }: Picture): [number, number, number, number] {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0, at = 1; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 4) {
      if ((data[at] ?? 255) > 127) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
  }
  return [left, top, right, bottom];
}

/** Returns a raster turned clockwise. @param degrees a multiple of 90 */
export function turned({ width, height, data }: Picture, degrees: number): Picture {
  const pixels = new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
  if (degrees === 0) return { width, height, data };
  const quarter = new Uint32Array(pixels.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      quarter[x * height + (height - 1 - y)] = pixels[y * width + x] ?? 0;
    }
  }
  const next = { width: height, height: width, data: new Uint8ClampedArray(quarter.buffer) };
  return turned(next, degrees - 90);
}
