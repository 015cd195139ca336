/** An image as pixels. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, 0 to 255, line by line from the top. */
  readonly pixels: Uint8Array;
}

/** An image that is not seen through. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, 0 to 255, line by line from the top. */
  readonly pixels: Uint8Array;
}

/** What an image looks like on a ground. @param ground red, green and blue */
export function flatten(
  { width, height, pixels }: Raster,
  ground: readonly [number, number, number],
): Picture {
  const flat = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i += 1) {
    const opacity = (pixels[i * 4 + 3] ?? 0) / 255;
    for (const channel of [0, 1, 2] as const) {
      const color = pixels[i * 4 + channel] ?? 0;
      flat[i * 3 + channel] = Math.round(ground[channel] + (color - ground[channel]) * opacity);
    }
  }
  return { width, height, pixels: flat };
}

/**
 * The picture in another size. A smaller one averages all it is made of, a larger one blends between pixels.
 * @param width pixels, at least 1, as of the height
 */
export function resample(picture: Picture, width: number, height: number): Picture {
  const { pixels } = picture;
  const wide = new Uint8ClampedArray(width * picture.height * 3);
  for (const [x, { from, weights }] of mixes(picture.width, width).entries()) {
    for (let y = 0; y < picture.height; y += 1) {
      mix(wide, (y * width + x) * 3, pixels, (y * picture.width + from) * 3, 3, weights);
    }
  }
  const scaled = new Uint8ClampedArray(width * height * 3);
  for (const [y, { from, weights }] of mixes(picture.height, height).entries()) {
    for (let x = 0; x < width; x += 1) {
      mix(scaled, (y * width + x) * 3, wide, (from * width + x) * 3, width * 3, weights);
    }
  }
  return { width, height, pixels: new Uint8Array(scaled.buffer) };
}

/** What a pixel is made of: of those from `from` on so much each, 1 in all. */
interface Mix {
  readonly from: number;
  readonly weights: readonly number[];
}

/** The mix of each of `to` pixels in a row that is made of `from` pixels. */
function mixes(from: number, to: number): Mix[] {
  const scale = from / to;
  const reach = Math.max(1, scale);
  return Array.from({ length: to }, (_, i) => {
    const center = (i + 0.5) * scale;
    const first = Math.max(0, Math.floor(center - reach));
    const end = Math.min(from, Math.ceil(center + reach));
    const parts = Array.from({ length: end - first }, (_, k) =>
      Math.max(0, 1 - Math.abs(first + k + 0.5 - center) / reach),
    );
    const sum = parts.reduce((total, part) => total + part, 0);
    return { from: first, weights: parts.map((part) => part / sum) };
  });
}

/** Mixes pixels that lie `step` bytes apart. */
function mix(
  target: Uint8ClampedArray,
  to: number,
  source: ArrayLike<number>,
  from: number,
  step: number,
  weights: readonly number[],
): void {
  let [red, green, blue] = [0, 0, 0];
  let at = from;
  for (const weight of weights) {
    red += weight * (source[at] ?? 0);
    green += weight * (source[at + 1] ?? 0);
    blue += weight * (source[at + 2] ?? 0);
    at += step;
  }
  target[to] = red;
  target[to + 1] = green;
  target[to + 2] = blue;
}
