import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Luma } from "../src/images/disturbances.ts";
import { greyPng } from "./lib/grey-png.ts";
import { root } from "./lib/wrangler.ts";

/**
 * Writes the disturbed pictures of the welcome page, after the service's own reader has read each, and every other look
 * in the same ways: `node scripts/disturbed.ts`.
 */

// Node can't import files as modules of bytes, nor of WebAssembly that is yet to be instantiated.
registerHooks({
  load(url, context, next) {
    const isWasm = url.endsWith(".wasm");
    if (!isWasm && !url.endsWith(".bin")) return next(url, context);
    const bytes = JSON.stringify(readFileSync(fileURLToPath(url)).toString("base64"));
    const buffer = `Buffer.from(${bytes}, "base64")`;
    const source = `export default ${isWasm ? `new WebAssembly.Module(${buffer})` : buffer};`;
    return { format: "module", source, shortCircuit: true };
  },
});

const { disturbances } = await import("../src/images/disturbances.ts");
const { rasterise } = await import("../src/images/rasterise.ts");
const { canRead } = await import("../src/images/read-code.ts");
const { SeededRandom } = await import("../src/lib/seeded-random.ts");
const { disturbedMargin, disturbedPictures, disturbedSide, looks, sampleSvg, sampleText } = await import(
  "../src/public-pages/welcome/looks.ts"
);

/** Pixels per module of the picture that is disturbed, as when a design is measured. */
const pitch = 8;

function pictureOf(look: (typeof looks)[number]): Promise<Luma> {
  const svg = sampleSvg(look, 100);
  const modules = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
  return rasterise(svg, modules * pitch, ({ width, height, pixels }) => {
    const values = new Float32Array(width * height);
    for (let i = 0; i < values.length; i += 1) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(i * 4, i * 4 + 4);
      values[i] = 255 + ((0.299 * red + 0.587 * green + 0.114 * blue - 255) * alpha) / 255;
    }
    return { width, height, values };
  });
}

const [shownLook, ...others] = looks;
if (shownLook === undefined) throw new Error("there is no look");
const picture = await pictureOf(shownLook);

/** Returns a picture at the size at which it is shown: each pixel the mean of those that it covers. */
function atShownSize({ width, height, values }: Luma): Luma {
  const scale = width / disturbedSide;
  const side = disturbedSide;
  const shown = new Float32Array(side * side);
  const steps = 8;
  for (let i = 0; i < shown.length; i += 1) {
    let sum = 0;
    for (let step = 0; step < steps * steps; step += 1) {
      const x = ((i % side) + ((step % steps) + 0.5) / steps) * scale;
      const y = (Math.floor(i / side) + (Math.floor(step / steps) + 0.5) / steps) * scale;
      sum += values[Math.min(height - 1, Math.floor(y)) * width + Math.min(width - 1, Math.floor(x))] ?? 255;
    }
    shown[i] = sum / steps ** 2;
  }
  return { width: side, height: side, values: shown };
}

const step = disturbedSide + disturbedMargin;
const strip = { width: step * disturbedPictures.length - disturbedMargin, height: disturbedSide };
const values = new Float32Array(strip.width * strip.height);
const random = new SeededRandom(2);
for (const [i, { name, strength, words }] of disturbedPictures.entries()) {
  const disturbed = disturbances[name].apply(picture, strength, { pitch, random });
  if (!(await canRead(disturbed, sampleText))) throw new Error(`the code can't be read ${words}`);
  const shown = atShownSize(disturbed);
  const half = disturbedMargin / 2;
  for (let y = 0; y < disturbedSide; y += 1) {
    for (let x = -half; x < disturbedSide + half; x += 1) {
      const column = i * step + x;
      if (column < 0 || column >= strip.width) continue;
      const nearest = Math.min(disturbedSide - 1, Math.max(0, x));
      values[y * strip.width + column] = shown.values[y * disturbedSide + nearest] ?? 255;
    }
  }
}
for (const look of others) {
  const drawn = await pictureOf(look);
  for (const { name, strength, words } of disturbedPictures) {
    const disturbed = disturbances[name].apply(drawn, strength, { pitch, random });
    if (!(await canRead(disturbed, sampleText))) throw new Error(`${look.name} can't be read ${words}`);
  }
}
const png = greyPng({ ...strip, values });
await writeFile(join(root, "src/public-pages/welcome/disturbed.bin"), png);
console.log(`${disturbedPictures.length} pictures, ${png.length} bytes`);
