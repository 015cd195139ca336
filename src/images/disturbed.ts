import { encodeColors } from "../lib/image/png-encoder.ts";
import { SeededRandom } from "../lib/seeded-random.ts";
import type { DisturbedPicture } from "../protocol/images.ts";
import { disturbances, type Luma } from "./disturbances.ts";
import { colors, drawOnPaper, pitch } from "./on-paper.ts";

/** Pixels per side of each square, and beside it, so that none shows the edge of its neighbour where it is scaled. */
const side = 200;
const beside = 4;
const stride = side + 2 * beside;

/** Shades of a colour. Noise takes less than half as many bytes with them. */
const shades = 32;

/** Draws disturbed pictures of a code again, as `measure` read them, in colour. @returns a PNG of squares side by side */
export async function drawDisturbed(
  svg: string,
  modules: number,
  pictures: readonly DisturbedPicture[],
): Promise<Uint8Array<ArrayBuffer>> {
  const channels = await drawOnPaper(svg, modules, ...colors);
  const size = { width: stride * pictures.length, height: side };
  const pixels = new Uint8Array(3 * size.width * size.height);
  for (const [place, picture] of pictures.entries()) {
    for (const [channel, drawn] of channels.entries()) {
      const at = (x: number, y: number) => 3 * (y * size.width + place * stride + x) + channel;
      const values = square(disturbed(drawn, picture));
      for (let i = 0; i < values.length; i += 1)
        pixels[at(i % stride, Math.floor(i / stride))] = values[i] ?? 0;
    }
    // Gives other requests a turn, as measuring does.
    await scheduler.wait(0);
  }
  return encodeColors(size, pixels);
}

/** Returns the picture of a disturbance's full strength. */
export function disturbed(picture: Luma, { name, seed }: DisturbedPicture): Luma {
  const { apply, strengths } = disturbances[name];
  return apply(picture, strengths.at(-1) ?? 0, { pitch, random: new SeededRandom(seed) });
}

/** Samples of a picture for each pixel of a square, across and down. */
const samples = 3;

/** Fits a picture into a square, in its middle. A smaller one, of a code that is far away, keeps its size. */
function square({ width, height, values }: Luma): Uint8Array {
  const scale = Math.max(1, width / side, height / side);
  const columns = positions(stride, width, scale);
  const rows = positions(side, height, scale);
  const fitted = new Uint8Array(stride * side);
  for (let y = 0, i = 0; y < side; y += 1) {
    for (let x = 0; x < stride; x += 1, i += 1) {
      let sum = 0;
      for (let row = 0; row < samples; row += 1) {
        const line = (rows[y * samples + row] ?? 0) * width;
        for (let column = 0; column < samples; column += 1) {
          sum += values[line + (columns[x * samples + column] ?? 0)] ?? 0;
        }
      }
      const value = Math.min(1, Math.max(0, sum / samples ** 2 / 255));
      fitted[i] = Math.round((Math.round(value * (shades - 1)) / (shades - 1)) * 255);
    }
  }
  return fitted;
}

/** Pixels at the edges of a large picture that are left out: noise is averaged with the paper beyond them. */
const edgeOfLarge = 2;

/** Returns the pixels of a picture's line that are sampled for each pixel of a line of this length, on its middle. */
function positions(length: number, picture: number, scale: number): Uint16Array {
  const start = (length - picture / scale) / 2;
  const edge = scale === 1 ? 0 : edgeOfLarge;
  return Uint16Array.from({ length: length * samples }, (_, i) =>
    Math.min(picture - 1 - edge, Math.max(edge, Math.floor(((i + 0.5) / samples - start) * scale))),
  );
}
