import { initWasm, Resvg } from "@resvg/resvg-wasm";
import resvgModule from "@resvg/resvg-wasm/index_bg.wasm";

type RenderedImage = ReturnType<InstanceType<typeof Resvg>["render"]>;

let ready: Promise<void> | undefined;

/**
 * Draws an SVG, and frees the drawing's memory once `read` has copied the parts it needs.
 * @param width pixels; the height follows from the SVG's proportions
 */
export async function rasterise<T>(
  svg: string,
  width: number,
  read: (image: RenderedImage) => T,
): Promise<T> {
  ready ??= initWasm(resvgModule);
  await ready;
  const drawing = new Resvg(svg, { fitTo: { mode: "width", value: width } });
  try {
    const image = drawing.render();
    try {
      return read(image);
    } finally {
      image.free();
    }
  } finally {
    drawing.free();
  }
}

/** The image as a file, in memory of its own, so that the bytes outlive the drawing. */
export const pngOf = (image: RenderedImage): Uint8Array<ArrayBuffer> =>
  image.asPng() as Uint8Array<ArrayBuffer>;
