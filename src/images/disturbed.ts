import { encodeColors } from "../lib/image/png-encoder.ts";
import { seededRandom } from "../lib/seeded-random.ts";
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
  return apply(picture, strengths.at(-1) ?? 0, { pitch, random: seededRandom(seed) });
}

/** Fits a picture into a square, in its middle. A smaller one, of a code that is far away, keeps its size. */
function square({ width, height, values }: Luma): Uint8Array {
  const scale = Math.max(1, width / side, height / side);
  const [left, top] = [(stride - width / scale) / 2, (side - height / scale) / 2];
  const fitted = new Uint8Array(stride * side);
  const pixel = (x: number, y: number) =>
    values[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))] ?? 255;
  for (let y = 0, i = 0; y < side; y += 1) {
    const [fromY, toY] = [(y - top) * scale, (y - top + 1) * scale];
    for (let x = 0; x < stride; x += 1, i += 1) {
      const [fromX, toX] = [(x - left) * scale, (x - left + 1) * scale];
      // The mean of the pixels below this one, by the share that is covered.
      let sum = 0;
      for (let row = Math.floor(fromY); row < toY; row += 1) {
        const high = Math.min(row + 1, toY) - Math.max(row, fromY);
        for (let column = Math.floor(fromX); column < toX; column += 1) {
          sum += pixel(column, row) * high * (Math.min(column + 1, toX) - Math.max(column, fromX));
        }
      }
      const value = Math.min(1, Math.max(0, sum / scale ** 2 / 255));
      fitted[i] = Math.round((Math.round(value * (shades - 1)) / (shades - 1)) * 255);
    }
  }
  return fitted;
}
