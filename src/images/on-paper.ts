import type { Luma } from "./disturbances.ts";
import { rasterise } from "./rasterise.ts";

/** Pixels per module in the pictures that are disturbed. */
export const pitch = 8;

/** The parts of red, green and blue in a value. */
type Weights = readonly [red: number, green: number, blue: number];

export const brightness: Weights = [0.299, 0.587, 0.114];
export const colors: readonly Weights[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Draws a code on white paper. @param modules its width @returns a picture for each of the weights */
export const drawOnPaper = (svg: string, modules: number, ...wanted: readonly Weights[]): Promise<Luma[]> =>
  rasterise(svg, Math.round(modules * pitch), ({ width, height, pixels }) =>
    wanted.map(([red, green, blue]) => {
      const values = new Float32Array(width * height);
      for (let i = 0, at = 0; i < values.length; i += 1, at += 4) {
        const color = red * (pixels[at] ?? 0) + green * (pixels[at + 1] ?? 0) + blue * (pixels[at + 2] ?? 0);
        values[i] = 255 + ((color - 255) * (pixels[at + 3] ?? 0)) / 255;
      }
      return { width, height, values };
    }),
  );
