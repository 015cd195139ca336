import { globSync } from "node:fs";
import { join } from "node:path";
import type { LegacyWorkerOptions } from "miniflare";
import { unstable_readConfig } from "wrangler";
import { buildImages } from "./build.ts";
import { imagesConfig, root } from "./wrangler.ts";

/** The built images Worker, to run beside the service. */
export async function imagesWorker(): Promise<LegacyWorkerOptions> {
  const folder = await buildImages();
  const { name, compatibility_date: compatibilityDate } = unstable_readConfig({
    config: join(root, imagesConfig),
  });
  const wasm = globSync("*.wasm", { cwd: folder }).map((file) => ({
    type: "CompiledWasm" as const,
    path: join(folder, file),
  }));
  return {
    ...(name === undefined ? {} : { name }),
    ...(compatibilityDate === undefined ? {} : { compatibilityDate }),
    modulesRoot: folder,
    modules: [{ type: "ESModule", path: join(folder, "index.js") }, ...wasm],
  };
}
