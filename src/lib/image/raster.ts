/** An image as pixels. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, 0 to 255, line by line from the top. */
  readonly pixels: Uint8Array;
}
