import { describe, expect, it } from "vitest";
import { encodePng } from "../../src/lib/image/png-encoder.ts";
import { PngError, decodePng } from "../../src/lib/image/png-decoder.ts";
import { flatten, resample } from "../../src/lib/image/raster.ts";
import { rasterise } from "../support/decode.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";
import { dataUri, makePng, pngKinds, svg } from "../support/logos.ts";

const seed = 20261121;

/** The pixels of a PNG on a background, as decoded by resvg: red, green and blue of each. */
async function decodeWithResvg(png: Uint8Array, width: number, height: number, ground: string) {
  const image = `<image width="${width}" height="${height}" href="${dataUri(png)}"/>`;
  const { data } = await rasterise("svg", svg(image, `width="${width}" height="${height}"`), width, ground);
  return [...data].filter((_, i) => i % 4 < 3);
}

const furthest = (one: ArrayLike<number>, other: readonly number[]) =>
  other.reduce((most, value, i) => Math.max(most, Math.abs(value - (one[i] ?? 999))), 0);

describe("a PNG", () => {
  it.each(pngKinds)(
    "of colour type $colorType, depth $depth, $interlaced, $transparency is decoded as by resvg",
    async (kind) => {
      const random = new SeededRandom(seed + pngKinds.indexOf(kind));
      for (const [width, height] of [
        [1, 1],
        [5, 3],
        [1 + random.below(40), 1 + random.below(40)],
        [33, 17],
      ] as const) {
        const png = await makePng(random, kind, width, height);
        const raster = await decodePng(png, 64);
        expect([raster.width, raster.height, raster.pixels.length]).toEqual([
          width,
          height,
          width * height * 4,
        ]);
        const flat = flatten(raster, [255, 200, 0]);
        const elsewhere = await decodeWithResvg(png, width, height, "#ffc800");
        expect(elsewhere).toHaveLength(flat.pixels.length);
        // resvg truncates 16-bit samples where we round them, and rounds opacities at another step.
        expect(furthest(flat.pixels, elsewhere)).toBeLessThanOrEqual(2);
      }
    },
  );

  it("that is written is read again, with and without opacity", async () => {
    const random = new SeededRandom(seed);
    for (const format of ["rgb", "rgba"] as const) {
      const size = 30;
      const lines = Array.from({ length: size }, () =>
        Uint8Array.from({ length: size * format.length }, () => random.below(256)),
      );
      const png = await encodePng(size, format, (y) => lines[y % 7] ?? new Uint8Array());
      const { pixels } = await decodePng(png, size);
      const written = Array.from({ length: size * size * 4 }, (_, i) => {
        const x = (i >> 2) % size;
        const line = lines[Math.floor((i >> 2) / size) % 7];
        return i % 4 < format.length ? line?.[x * format.length + (i % 4)] : 255;
      });
      expect([...pixels]).toEqual(written);
    }
  });

  it("that is cut anywhere, or has one byte changed, is refused or read, and nothing else", async () => {
    const random = new SeededRandom(seed);
    for (const kind of pngKinds.filter(({ depth }) => depth > 2)) {
      const png = await makePng(random, kind, 9, 9);
      for (let round = 0; round < 12; round += 1) {
        const cut = png.slice(0, random.below(png.length));
        await expect(decodePng(cut, 64)).rejects.toThrow(PngError);
        const bent = png.slice();
        const at = random.below(png.length);
        bent[at] = (bent[at] ?? 0) ^ (1 << random.below(8));
        // Every byte is under the signature, a length, or a check sum.
        await expect(decodePng(bent, 64)).rejects.toThrow(PngError);
      }
    }
  });
});

describe("another size of a picture", () => {
  const picture = (random: SeededRandom, width: number, height: number) => ({
    width,
    height,
    pixels: Uint8ClampedArray.from({ length: width * height * 3 }, () => random.below(256)),
  });

  it("has the average of what it was, and the same pixels where it is the same size", () => {
    const random = new SeededRandom(seed);
    const large = picture(random, 64, 48);
    expect(resample(large, 64, 48).pixels).toEqual(large.pixels);
    const average = large.pixels.reduce((sum, value) => sum + value, 0) / large.pixels.length;
    for (const [width, height] of [
      [1, 1],
      [7, 5],
      [200, 150],
    ] as const) {
      const { pixels } = resample(large, width, height);
      expect(pixels).toHaveLength(width * height * 3);
      const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
      expect(Math.abs(mean - average)).toBeLessThan(6);
    }
  });

  it("keeps a uniform colour uniform", () => {
    const pixels = Uint8ClampedArray.from({ length: 10 * 4 * 3 }, (_, i) => [10, 200, 90][i % 3] ?? 0);
    const scaled = resample({ width: 10, height: 4, pixels }, 33, 3).pixels;
    expect([...scaled].every((value, i) => value === [10, 200, 90][i % 3])).toBe(true);
  });
});
