import { describe, expect, it } from "vitest";
import { encodePng } from "../../src/lib/image/png-encoder.ts";
import { PngError, decodePng } from "../../src/lib/image/png-decoder.ts";
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

/** RGBA pixels on a ground, as RGB. */
const onGround = (pixels: Uint8Array, ground: readonly number[]) =>
  Array.from({ length: (pixels.length / 4) * 3 }, (_, i) => {
    const at = Math.floor(i / 3) * 4;
    const [under = 0, over = 0] = [ground[i % 3], pixels[at + (i % 3)]];
    return Math.round(under + (over - under) * ((pixels[at + 3] ?? 0) / 255));
  });

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
        const elsewhere = await decodeWithResvg(png, width, height, "#ffc800");
        const flat = onGround(raster.pixels, [255, 200, 0]);
        expect(elsewhere).toHaveLength(flat.length);
        // resvg truncates 16-bit samples where we round them, and rounds opacities at another step.
        expect(furthest(flat, elsewhere)).toBeLessThanOrEqual(2);
      }
    },
  );

  it("that is written is read again, with and without opacity", async () => {
    const random = new SeededRandom(seed);
    const size = 30;
    const channel = () => random.below(256);
    for (const opacity of [() => 255, channel]) {
      const palette = Array.from({ length: 9 }, () => [channel(), channel(), channel(), opacity()] as const);
      const lines = Array.from({ length: 7 }, () => Uint8Array.from({ length: size }, () => random.below(9)));
      const png = await encodePng(size, palette, (y) => lines[y % 7] ?? new Uint8Array());
      const { pixels } = await decodePng(png, size);
      const written = Array.from({ length: size }, (_, y) =>
        Array.from(lines[y % 7] ?? [], (index) => palette[index]),
      );
      expect([...pixels]).toEqual(written.flat(2));
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
