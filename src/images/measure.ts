import { ZXING_WASM_VERSION } from "zxing-wasm/reader";
import type { DisturbanceName } from "../contract/resources/images/scannability.ts";
import { SeededRandom } from "../lib/seeded-random.ts";
import type { Measurement, Readable, Verdicts } from "../protocol/images.ts";
import { disturbanceNames, disturbances } from "./disturbances.ts";
import { brightness, drawOnPaper, pitch } from "./on-paper.ts";
import { canRead } from "./read-code.ts";

/** Draws codes, disturbs the pictures, and reads them. Deterministic. */
export async function measure(
  drawings: readonly Readable[],
  modules: number,
  firstSeed = 0,
): Promise<Measurement> {
  const verdicts: Verdicts[] = [];
  for (const [i, drawing] of drawings.entries()) {
    verdicts.push(await readDisturbed(drawing, modules, firstSeed + i));
  }
  const resolutions = disturbances.lowResolution.strengths.filter((_, step) =>
    verdicts.every(({ lowResolution }) => lowResolution.read[step] === "1"),
  );
  return {
    shares: verdicts.map((each) => shareOf(disturbanceNames.map((name) => each[name].read))),
    read: byName(disturbanceNames.map((name) => [name, shareOf(verdicts.map((each) => each[name].read))])),
    pixelsPerModule: resolutions.length === 0 ? null : Math.min(...resolutions),
    verdicts,
    decoder: `ZXing (zxing-wasm ${ZXING_WASM_VERSION})`,
  };
}

/** Reads the disturbed pictures of a code, which share one sequence of random numbers. */
async function readDisturbed({ svg, text }: Readable, modules: number, firstSeed: number): Promise<Verdicts> {
  const [picture] = await drawOnPaper(svg, modules, brightness);
  if (picture === undefined) throw new Error("no picture");
  const verdicts: [DisturbanceName, Verdicts[DisturbanceName]][] = [];
  let next = firstSeed;
  for (const name of disturbanceNames) {
    const { apply, strengths } = disturbances[name];
    let [read, seed] = ["", next];
    for (const strength of strengths) {
      const random = new SeededRandom(next);
      seed = next;
      read += (await canRead(apply(picture, strength, { pitch, random }), text)) ? "1" : "0";
      next = random.state >>> 0;
      // Gives other requests a turn after each picture: in local development, they share the thread.
      await scheduler.wait(0);
    }
    verdicts.push([name, { read, seed }]);
  }
  return byName(verdicts);
}

const byName = <T>(entries: readonly (readonly [DisturbanceName, T])[]): Record<DisturbanceName, T> =>
  Object.fromEntries(entries) as Record<DisturbanceName, T>;

/** Returns the share of pictures that were read. */
function shareOf(verdicts: readonly string[]): number {
  const all = verdicts.join("");
  return all.replaceAll("0", "").length / all.length;
}
