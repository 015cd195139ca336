import { seededRandom } from "../lib/seeded-random.ts";
import type { Measurement, Readable } from "../protocol/images.ts";
import { disturbanceNames, disturbances, type Luma } from "./disturbances.ts";
import { rasterise } from "./rasterise.ts";
import { canRead } from "./read-code.ts";

/** Pixels per module in the pictures that are disturbed. */
const pitch = 8;

/** Draws codes, disturbs the pictures, and reads them. Deterministic. */
export async function measure(
  drawings: readonly Readable[],
  modules: number,
  firstSeed = 0,
): Promise<Measurement> {
  const read = new Map(disturbanceNames.map((name) => [name, disturbances[name].strengths.map(() => 0)]));
  const shares: number[] = [];
  for (const [i, { svg, text }] of drawings.entries()) {
    const picture = await brightnessOf(svg, Math.round(modules * pitch));
    const random = seededRandom(firstSeed + i);
    let count = 0;
    let total = 0;
    for (const name of disturbanceNames) {
      const { apply, strengths } = disturbances[name];
      const counts = read.get(name) ?? [];
      for (const [step, strength] of strengths.entries()) {
        const isRead = await canRead(apply(picture, strength, { pitch, random }), text);
        total += 1;
        if (isRead) {
          count += 1;
          counts[step] = (counts[step] ?? 0) + 1;
        }
        // Gives other requests a turn after each picture: in local development, they share the thread.
        await scheduler.wait(0);
      }
    }
    shares.push(count / total);
  }
  const shareOf = (counts: readonly number[]) =>
    counts.reduce((sum, count) => sum + count, 0) / (counts.length * drawings.length);
  const resolutions = disturbances.lowResolution.strengths.filter(
    (_, i) => read.get("lowResolution")?.[i] === drawings.length,
  );
  return {
    shares,
    read: Object.fromEntries(
      disturbanceNames.map((name) => [name, shareOf(read.get(name) ?? [])]),
    ) as Measurement["read"],
    pixelsPerModule: resolutions.length === 0 ? null : Math.min(...resolutions),
  };
}

/** Returns a drawing on white paper. */
const brightnessOf = (svg: string, width: number): Promise<Luma> =>
  rasterise(svg, width, ({ width: columns, height, pixels }) => {
    const values = new Float32Array(columns * height);
    for (let i = 0, at = 0; i < values.length; i += 1, at += 4) {
      const color = 0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0);
      values[i] = 255 + ((color - 255) * (pixels[at + 3] ?? 0)) / 255;
    }
    return { width: columns, height, values };
  });
