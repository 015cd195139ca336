import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import zxingModule from "zxing-wasm/reader/zxing_reader.wasm";
import type { Luma } from "./disturbances.ts";

let ready: Promise<unknown> | undefined;

/** Workers must not compile WebAssembly, so the module is precompiled. */
const prepare = (): Promise<unknown> =>
  prepareZXingModule({
    overrides: {
      instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
        void WebAssembly.instantiate(zxingModule, imports).then(done);
        return {};
      },
    },
    fireImmediately: true,
  });

/** The runtime has no ImageData, but the reader only needs its fields. */
type Pixels = Parameters<typeof readBarcodes>[0];

/** Two ways to separate dark from light. Phones take thirty pictures a second and try both. */
const binarizers = ["LocalAverage", "GlobalHistogram"] as const;

/** Returns whether a code can be read as this text, ignoring case. */
export async function canRead({ width, height, values }: Luma, text: string): Promise<boolean> {
  ready ??= prepare();
  await ready;
  const greys = new Uint8ClampedArray(values);
  const pixels = new Uint32Array(width * height);
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = 0xff000000 | ((greys[i] ?? 0) * 0x010101);
  const data = new Uint8ClampedArray(pixels.buffer);
  for (const binarizer of binarizers) {
    const options: ReaderOptions = {
      formats: ["QRCode"],
      tryInvert: false,
      tryRotate: true,
      maxNumberOfSymbols: 1,
      binarizer,
    };
    const [found] = await readBarcodes({ width, height, data, colorSpace: "srgb" } as Pixels, options);
    if (found?.text.toLowerCase() === text.toLowerCase()) return true;
  }
  return false;
}
