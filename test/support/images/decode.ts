import resvg from "@resvg/resvg-wasm/index_bg.wasm";
import zxing from "zxing-wasm/reader/zxing_reader.wasm";
import { decoders } from "./decoders.ts";

/** In Workers, which must not compile WebAssembly at run time: the modules are compiled already. */
export const { rasterise, readWithZxing, readFromAfar } = decoders(async () => ({ resvg, zxing }));
