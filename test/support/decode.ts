import { initWasm, Resvg } from "@resvg/resvg-wasm";
import resvgWasm from "@resvg/resvg-wasm/index_bg.wasm";
import jsQR from "jsqr";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import zxingWasm from "zxing-wasm/reader/zxing_reader.wasm";

/** Opaque pixels. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGBA, row by row. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

let ready: Promise<void> | undefined;

/** Loads the decoders from precompiled modules, since Workers must not compile WebAssembly at run time. */
function prepare(): Promise<void> {
  ready ??= (async () => {
    await initWasm(resvgWasm);
    await prepareZXingModule({
      overrides: {
        instantiateWasm: (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
          void WebAssembly.instantiate(zxingWasm, imports).then((instance) => done(instance));
          return {};
        },
      },
      fireImmediately: true,
    });
  })();
  return ready;
}

/** Rasterises an SVG, or a PNG embedded in one, on a background of the colour `paper`. */
export async function rasterise(
  format: "svg" | "png",
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

function wrapped(png: Uint8Array<ArrayBuffer>, width: number): string {
  let binary = "";
  for (let from = 0; from < png.length; from += 8192)
    binary += String.fromCharCode(...png.subarray(from, from + 8192));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}"><image width="${width}" height="${width}" href="data:image/png;base64,${btoa(binary)}"/></svg>`;
}

/** The texts that ZXing reads in a picture. */
export async function readWithZxing({ width, height, data }: Picture): Promise<string[]> {
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

/** The text that jsQR reads in a picture. */
function readWithJsqr({ width, height, data }: Picture): string | undefined {
  return jsQR(data, width, height, { inversionAttempts: "dontInvert" })?.data;
}

/**
 * The text that jsQR reads at one of several sizes. At any one size it misses about one correct code in a hundred, even
 * black on white, because it is made for the many frames of a camera.
 */
export async function readFromAfar(format: "svg" | "png", bytes: Uint8Array<ArrayBuffer>, size: number) {
  for (const distance of [1, 1.4, 0.8, 0.6, 1.2, 0.9, 0.7, 2]) {
    const read = readWithJsqr(await rasterise(format, bytes, Math.round(size / distance)));
    if (read !== undefined) return read;
  }
  return undefined;
}
