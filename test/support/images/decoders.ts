import { initWasm, Resvg } from "@resvg/resvg-wasm";
import jsQR from "jsqr";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

/** Opaque pixels. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGBA, row by row. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

/** The compiled WebAssembly of the rasteriser and of the decoder. */
interface Modules {
  readonly resvg: WebAssembly.Module;
  readonly zxing: WebAssembly.Module;
}

type Format = "svg" | "png";

/** A rasteriser, and decoders that are not ours. @param load gets their WebAssembly, which each runtime has elsewhere */
export function decoders(load: () => Promise<Modules>) {
  let ready: Promise<void> | undefined;

  function prepare(): Promise<void> {
    ready ??= (async () => {
      const { resvg, zxing } = await load();
      await initWasm(resvg);
      await prepareZXingModule({
        overrides: {
          instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
            void WebAssembly.instantiate(zxing, imports).then((instance) => done(instance));
            return {};
          },
        },
        fireImmediately: true,
      });
    })();
    return ready;
  }

  /** Rasterises an SVG, or a PNG embedded in one, on a background of the colour `paper`. */
  async function rasterise(
    format: Format,
    bytes: Uint8Array<ArrayBuffer>,
    width: number,
    paper = "white",
  ): Promise<Picture> {
    await prepare();
    const svg = format === "svg" ? bytes : wrapped(bytes, width);
    const drawn = new Resvg(svg as Uint8Array, {
      background: paper,
      fitTo: { mode: "width", value: width },
    }).render();
    return { width: drawn.width, height: drawn.height, data: new Uint8ClampedArray(drawn.pixels) };
  }

  /** The texts that ZXing reads in a picture. */
  async function readWithZxing({ width, height, data }: Picture): Promise<string[]> {
    await prepare();
    const found = await readBarcodes(
      { width, height, data, colorSpace: "srgb" } as Parameters<typeof readBarcodes>[0],
      {
        formats: ["QRCode"],
        tryInvert: false,
      },
    );
    return found.map(({ text }) => text);
  }

  /** The text that jsQR reads in an image at one of several sizes. */
  const readFromAfar = (format: Format, bytes: Uint8Array<ArrayBuffer>, size: number) =>
    readAtDistances((distance) => rasterise(format, bytes, Math.round(size / distance)), readWithJsqr);

  return { rasterise, readWithZxing, readFromAfar };
}

function wrapped(png: Uint8Array<ArrayBuffer>, width: number): string {
  let binary = "";
  for (let from = 0; from < png.length; from += 8192)
    binary += String.fromCharCode(...png.subarray(from, from + 8192));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}"><image width="${width}" height="${width}" href="data:image/png;base64,${btoa(binary)}"/></svg>`;
}

/** The text that jsQR reads in a picture. */
export const readWithJsqr = ({ width, height, data }: Picture): string | undefined =>
  jsQR(data, width, height, { inversionAttempts: "dontInvert" })?.data;

/** Distances at which a code is looked at, as multiples of the first one. */
const distances = [1, 1.4, 0.8, 0.6, 1.2, 0.9, 0.7, 2, 1.1, 1.6, 0.5, 2.5, 3];

/**
 * The text that a decoder reads in one of several pictures of a code. Decoders are made for the many frames of a camera: in
 * any one of them, jsQR misses about one correct code in a hundred, even black on white, and zxing some whose modules
 * aren't whole pixels.
 */
export async function readAtDistances(
  pictureAt: (distance: number) => Promise<Picture>,
  read: (picture: Picture) => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  for (const distance of distances) {
    const text = await read(await pictureAt(distance));
    if (text !== undefined) return text;
  }
  return undefined;
}
