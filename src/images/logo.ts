import { readPng } from "../lib/image/png-file.ts";
import type { CheckedLogo } from "../protocol/images.ts";
import { type Size, sizeOfPicture, typeOfPicture } from "./picture-size.ts";
import { pngOf, rasterise } from "./rasterise.ts";

/** The maximum pixels per side of a PNG, which is kept, and of a JPEG, which is scaled down. */
const maxSides = { png: 1024, jpeg: 2048 } as const;

/** Lengths of a converted JPEG's longer side in pixels, best first. The first one that fits the size limit is used. */
const convertedSides = [1024, 768, 512, 384, 256, 128];

/**
 * Checks a logo's file by drawing it, and converts a JPEG to PNG.
 * @param maxBytes of the result
 */
export async function checkLogo(file: Uint8Array, maxBytes: number): Promise<CheckedLogo> {
  const type = typeOfPicture(file);
  const name = type === "png" ? "a PNG" : "a JPEG";
  const size = sizeOfPicture(file);
  if (size === undefined || size.width === 0 || size.height === 0) return broken(name);
  const { width, height } = size;
  const most = maxSides[type];
  if (width > most || height > most) {
    return {
      problem: `must be ${name} of at most ${most} pixels a side. This one has ${width} × ${height}.`,
    };
  }
  // Only the part that all readers read alike is drawn and kept, so that later drawings equal the checked one.
  const bytes = type === "png" ? (readPng(file)?.bytes ?? file) : file;
  const svg = embedded(type, bytes, size);
  if (type === "png") {
    const visible = await rasterise(svg, width, ({ pixels }) =>
      pixels.some((value, i) => i % 4 === 3 && value > 0),
    );
    return visible ? { bytes: Uint8Array.from(bytes), width, height } : broken(name);
  }
  for (const side of convertedSides) {
    const scale = Math.min(1, side / Math.max(width, height));
    const scaled = Math.max(1, Math.round(width * scale));
    const { png, ...drawn } = await rasterise(svg, scaled, (image) => ({
      width: image.width,
      height: image.height,
      // If the file can't be decoded, nothing is drawn. A JPEG has no transparency.
      png: image.pixels[3] === 255 ? pngOf(image) : undefined,
    }));
    if (png === undefined) return broken(name);
    if (png.length <= maxBytes) return { bytes: png, ...drawn };
  }
  return { problem: "has too much detail. Use a simpler JPEG, or a PNG." };
}

const broken = (name: string): CheckedLogo => ({
  problem: `must be ${name} that is intact and not empty`,
});

const embedded = (type: "png" | "jpeg", bytes: Uint8Array, { width, height }: Size): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
  `<image width="${width}" height="${height}" href="data:image/${type};base64,${bytes.toBase64()}"/></svg>`;
