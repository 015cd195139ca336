import type { DisturbanceName } from "../contract/resources/images/scannability.ts";
import { nextState, numberOf, type SeededRandom } from "../lib/seeded-random.ts";

/** A picture as a camera sees it: the brightness of each pixel, 0 to 255, line by line from the top. */
export interface Luma {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** The randomness and scale that a disturbance depends on, besides its strength. */
interface Scene {
  /** Pixels per module of the picture. */
  readonly pitch: number;
  readonly random: SeededRandom;
}

type Disturbance = (picture: Luma, strength: number, scene: Scene) => Luma;

/** Returns the brightness between a pixel, that after it, and those below. @param right, down how far, 0 to 1 */
function between(values: Float32Array, width: number, at: number, right: number, down: number): number {
  const upper = (values[at] ?? 0) + ((values[at + 1] ?? 0) - (values[at] ?? 0)) * right;
  const under = at + width;
  const lower = (values[under] ?? 0) + ((values[under + 1] ?? 0) - (values[under] ?? 0)) * right;
  return upper + (lower - upper) * down;
}

/** Returns the brightness at a place; beyond the edge, that of paper. */
function sample({ width, height, values }: Luma, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return 255;
  return between(values, width, top * width + left, x - left, y - top);
}

/** Computes each pixel from its position. */
function map({ width, height }: Luma, valueAt: (x: number, y: number) => number): Luma {
  const values = new Float32Array(width * height);
  for (let y = 0, i = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, i += 1) values[i] = valueAt(x, y);
  }
  return { width, height, values };
}

/** Seen at an angle, so that one side is shorter. @param strength 0–1, how steep the angle is */
const perspective: Disturbance = (picture, strength, { random }) => {
  const { width, height } = picture;
  const [across, down] = [strength * (random.next() < 0.5 ? -1 : 1), strength * (random.next() - 0.5)];
  return map(picture, (x, y) => {
    const [u, v] = [(2 * x) / width - 1, (2 * y) / height - 1];
    // The plane is rotated around its centre; `depth` is the distance of a point, relative to the centre's.
    const depth = (1 + (across * u + down * v) / 2) / (1 + strength * 0.8);
    const [px, py] = [u / depth, v / depth];
    return sample(picture, ((px + 1) * width) / 2, ((py + 1) * height) / 2);
  });
};

/** Blurs along lines, by averaging `2 * radius + 1` pixels, and transposes the result. */
function blurLines({ width, height, values }: Luma, radius: number): Luma {
  const blurred = new Float32Array(width * height);
  const count = 2 * radius + 1;
  // A line with paper on both sides.
  const line = new Float64Array(width + count).fill(255);
  for (let y = 0; y < height; y += 1) {
    line.set(values.subarray(y * width, (y + 1) * width), radius + 1);
    let sum = 0;
    for (let x = 0; x < count; x += 1) sum += line[x] ?? 0;
    for (let x = 0, at = y; x < width; x += 1, at += height) {
      sum += line[x + count] ?? 0;
      sum -= line[x] ?? 0;
      blurred[at] = sum / count;
    }
  }
  return { width: height, height: width, values: blurred };
}

/** Out of focus. @param strength the blur's standard deviation, in modules */
const blur: Disturbance = (picture, strength, { pitch }) => {
  // Averaging three times approximates a Gaussian of this width.
  const radius = Math.max(1, Math.round(Math.sqrt(4 * (strength * pitch) ** 2 + 1) / 2 - 0.5));
  let blurred = picture;
  for (let pass = 0; pass < 6; pass += 1) blurred = blurLines(blurred, radius);
  return blurred;
};

/** A grainy sensor, which interpolates pixels from their neighbours. @param strength the noise's standard deviation */
const noise: Disturbance = ({ values, ...size }, strength, { random }) => {
  const grainy = new Float32Array(values.length);
  let { state } = random;
  for (let i = 0; i < values.length; i += 1) {
    // The sum of four uniform numbers is nearly Gaussian.
    let sum = 0;
    for (let number = 0; number < 4; number += 1) {
      state = nextState(state);
      sum += numberOf(state);
    }
    grainy[i] = (values[i] ?? 0) + strength * ((sum - 2) * Math.sqrt(3));
  }
  random.state = state;
  return blurLines(blurLines({ ...size, values: grainy }, 1), 1);
};

/** Far away, or small. @param strength the remaining pixels per module */
const lowResolution: Disturbance = (picture, strength, scene) => farAway(picture, strength, 0, scene);

/** @param border pixels of paper on each side of the picture */
function farAway(picture: Luma, strength: number, border: number, { pitch, random }: Scene): Luma {
  const scale = pitch / strength;
  const lengths = { width: picture.width + 2 * border, height: picture.height + 2 * border };
  const size = { width: Math.floor(lengths.width / scale), height: Math.floor(lengths.height / scale) };
  // The camera's pixels aren't aligned with the modules.
  const [dx, dy] = [random.next() * scale, random.next() * scale];
  const steps = Math.max(2, Math.ceil(scale));
  // Beside a pixel of paper, all is paper.
  const { width, height, values } = border === 0 ? picture : surrounded(picture, 255, 1);
  const hidden = Math.max(0, border - 1);
  const columns = samplesOf({ pixels: size.width, steps, scale, offset: dx, hidden, length: width });
  const rows = samplesOf({ pixels: size.height, steps, scale, offset: dy, hidden, length: height });
  const scaled = new Float32Array(size.width * size.height);
  for (let y = 0, i = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1, i += 1) {
      let sum = 0;
      for (let row = y * steps; row < (y + 1) * steps; row += 1) {
        const [top, down] = [rows.at[row] ?? -1, rows.part[row] ?? 0];
        for (let column = x * steps; column < (x + 1) * steps; column += 1) {
          const left = columns.at[column] ?? -1;
          sum +=
            top < 0 || left < 0
              ? 255
              : between(values, width, top * width + left, columns.part[column] ?? 0, down);
        }
      }
      scaled[i] = sum / steps ** 2;
    }
  }
  return { ...size, values: scaled };
}

interface Line {
  readonly pixels: number;
  /** Samples of each pixel. */
  readonly steps: number;
  /** Pixels of the original for each. */
  readonly scale: number;
  readonly offset: number;
  /** Pixels of the original that aren't stored, on each side. */
  readonly hidden: number;
  /** Stored pixels of the original. */
  readonly length: number;
}

/** Returns where the samples of a line's pixels are: the pixel of the original, or -1 beyond its edge, and the part of one after it. */
function samplesOf({ pixels, steps, scale, offset, hidden, length }: Line) {
  const at = new Int32Array(pixels * steps);
  const part = new Float64Array(pixels * steps);
  for (let i = 0; i < at.length; i += 1) {
    const place = (Math.floor(i / steps) + ((i % steps) + 0.5) / steps) * scale + offset - scale / 2;
    const before = Math.floor(place);
    at[i] = before - hidden + 1 < length ? Math.max(-1, before - hidden) : -1;
    part[i] = place - before;
  }
  return { at, part };
}

/** In the evening, with a shadow across. @param strength the light left on the darkest side, 0 to 1 */
const dimLight: Disturbance = (picture, strength, scene) => {
  const { width, height, values } = picture;
  const { random } = scene;
  const angle = random.next() * 2 * Math.PI;
  const [across, down] = [Math.cos(angle), Math.sin(angle)];
  const dim = map(picture, (x, y) => {
    const along = 0.5 + (across * (x / width - 0.5) + down * (y / height - 0.5)) / Math.SQRT2;
    return (values[y * width + x] ?? 255) * 0.7 * (strength + (1 - strength) * along);
  });
  return noise(dim, 4, scene);
};

/**
 * Ink that spreads or prints too thin. @param strength modules by which dark areas grow on each side; negative if they
 * shrink
 */
const printGrowth: Disturbance = (picture, strength, { pitch }) => {
  const radius = Math.max(1, Math.round(Math.abs(strength) * pitch));
  const sign = Math.sign(strength);
  const spread = ({ width, height, values }: Luma): Luma => {
    const grown = new Float32Array(width * height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        let value = values[y * width + x] ?? 255;
        for (let near = Math.max(0, x - radius); near <= Math.min(width - 1, x + radius); near += 1) {
          const other = values[y * width + near] ?? 255;
          if ((value - other) * sign > 0) value = other;
        }
        grown[x * height + y] = value;
      }
    }
    return { width: height, height: width, values: grown };
  };
  return spread(spread(picture));
};

/** The picture in the middle of a surface that begins where it ends. @param border pixels of the surface on each side */
function surrounded({ width, height, values }: Luma, brightness: number, border: number): Luma {
  const size = { width: width + 2 * border, height: height + 2 * border };
  const surface = new Float32Array(size.width * size.height).fill(brightness);
  for (let y = 0; y < height; y += 1) {
    surface.set(values.subarray(y * width, (y + 1) * width), (y + border) * size.width + border);
  }
  return { ...size, values: surface };
}

/** Modules of the surroundings that are in the picture. */
const darkModules = 4;
const brightModules = 12;

/** On something dark. @param strength the brightness of the surroundings */
const darkSurroundings: Disturbance = (picture, strength, scene) =>
  noise(surrounded(picture, strength, darkModules * scene.pitch), 4, scene);

/**
 * Small, on white paper, which readers include when they measure dark and light.
 * @param strength the remaining pixels per module
 */
const brightSurroundings: Disturbance = (picture, strength, scene) =>
  noise(farAway(picture, strength, brightModules * scene.pitch, scene), 4, scene);

/** The disturbances by name, each with its strengths from weak to strong. The documentation shows them. */
export const disturbances = {
  perspective: { apply: perspective, strengths: [0.2, 0.35, 0.5] },
  blur: { apply: blur, strengths: [0.25, 0.35, 0.45] },
  noise: { apply: noise, strengths: [8, 16, 24] },
  lowResolution: { apply: lowResolution, strengths: [4, 3, 2] },
  dimLight: { apply: dimLight, strengths: [0.6, 0.4, 0.25] },
  printGrowth: { apply: printGrowth, strengths: [-0.125, 0.125, 0.25] },
  darkSurroundings: { apply: darkSurroundings, strengths: [128, 64, 0] },
  brightSurroundings: { apply: brightSurroundings, strengths: [6, 4, 3] },
} as const satisfies Record<DisturbanceName, { apply: Disturbance; strengths: readonly number[] }>;

export const disturbanceNames = Object.keys(disturbances) as DisturbanceName[];
