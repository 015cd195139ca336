import { expect, it } from "vitest";
import { encodePng } from "../../src/lib/image/png-encoder.ts";
import { rasterise } from "../support/images/decode.ts";
import { SeededRandom } from "../support/runner/seeded-random.ts";

it("a PNG that is written is read again, with and without opacity", async () => {
  const random = new SeededRandom(20261121);
  const [size, ground] = [30, 200];
  const channel = () => random.below(256);
  for (const opacity of [() => 255, channel]) {
    const palette = Array.from({ length: 9 }, () => [channel(), channel(), channel(), opacity()] as const);
    const lines = Array.from({ length: 7 }, () => Uint8Array.from({ length: size }, () => random.below(9)));
    const png = await encodePng(size, palette, (y) => lines[y % 7] ?? new Uint8Array());
    const { data } = await rasterise("png", png, size, `rgb(${ground}, ${ground}, ${ground})`);
    const expected = Array.from({ length: size }, (_, y) => Array.from(lines[y % 7] ?? [])).flatMap((line) =>
      line.flatMap((index) => {
        const [red = 0, green = 0, blue = 0, alpha = 0] = palette[index] ?? [];
        return [...[red, green, blue].map((value) => ground + (value - ground) * (alpha / 255)), 255];
      }),
    );
    const furthest = expected.reduce(
      (most, value, i) => Math.max(most, Math.abs(value - (data[i] ?? 999))),
      0,
    );
    expect(furthest).toBeLessThanOrEqual(2);
  }
});
