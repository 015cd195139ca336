/** An image as pixels. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, 0 to 255, line by line from the top. */
  readonly pixels: Uint8Array;
}

/** An opaque image. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, 0 to 255, line by line from the top. */
  readonly pixels: Uint8ClampedArray;
}

/** An image on an opaque background. @param background red, green and blue */
export function flatten(
  { width, height, pixels }: Raster,
  [red, green, blue]: readonly [number, number, number],
): Picture {
  const flat = new Uint8ClampedArray(width * height * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const opacity = (pixels[from + 3] ?? 0) / 255;
    flat[to] = red + ((pixels[from] ?? 0) - red) * opacity;
    flat[to + 1] = green + ((pixels[from + 1] ?? 0) - green) * opacity;
    flat[to + 2] = blue + ((pixels[from + 2] ?? 0) - blue) * opacity;
  }
  return { width, height, pixels: flat };
}

/**
 * Scales a picture: down by averaging, up by interpolation.
 * @param width,height pixels, at least 1
 */
export function resample(picture: Picture, width: number, height: number): Picture {
  const columns = mixes(picture.width, width);
  const rows = mixes(picture.height, height);
  const wide = new Uint8ClampedArray(width * picture.height * 3);
  for (let y = 0; y < picture.height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      mix(wide, (y * width + x) * 3, picture.pixels, y * picture.width * 3, 3, columns[x]);
    }
  }
  const pixels = new Uint8ClampedArray(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      mix(pixels, (y * width + x) * 3, wide, x * 3, width * 3, rows[y]);
    }
  }
  return { width, height, pixels };
}

/** The weights by which source pixels, starting at `from`, make up a target pixel. They add up to 1. */
interface Mix {
  readonly from: number;
  readonly weights: Float64Array;
}

/** The mix of each of `to` target pixels that `from` source pixels are scaled to. */
function mixes(from: number, to: number): Mix[] {
  const scale = from / to;
  const reach = Math.max(1, scale);
  return Array.from({ length: to }, (_, i) => {
    const center = (i + 0.5) * scale;
    const first = Math.max(0, Math.floor(center - reach));
    const end = Math.min(from, Math.ceil(center + reach));
    const parts = Float64Array.from({ length: end - first }, (_, k) =>
      Math.max(0, 1 - Math.abs(first + k + 0.5 - center) / reach),
    );
    const sum = parts.reduce((total, part) => total + part, 0);
    return { from: first, weights: parts.map((part) => part / sum) };
  });
}

/** Writes a mixed pixel at `to`. @param line the start of the source line @param step the distance of its pixels */
function mix(
  target: Uint8ClampedArray,
  to: number,
  source: Uint8ClampedArray,
  line: number,
  step: number,
  mixed: Mix | undefined,
): void {
  if (mixed === undefined) return;
  const { from, weights } = mixed;
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let i = 0, at = line + from * step; i < weights.length; i += 1, at += step) {
    const weight = weights[i] ?? 0;
    red += weight * (source[at] ?? 0);
    green += weight * (source[at + 1] ?? 0);
    blue += weight * (source[at + 2] ?? 0);
  }
  target[to] = red;
  target[to + 1] = green;
  target[to + 2] = blue;
}
