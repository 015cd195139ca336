import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { decoders } from "../../support/images/decoders.ts";

const { resolve } = createRequire(import.meta.url);
const compiled = async (path: string) => WebAssembly.compile(await readFile(resolve(path)));

/** The tests' rasteriser and decoders in Node. */
export const { rasterise, readWithZxing } = decoders(async () => ({
  resvg: await compiled("@resvg/resvg-wasm/index_bg.wasm"),
  zxing: await compiled("zxing-wasm/reader/zxing_reader.wasm"),
}));
