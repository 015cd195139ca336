import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { omit } from "../../src/lib/omit.ts";
import { writeSecretFile } from "./files.ts";
import { edgeConfig, imagesConfig, root } from "./wrangler.ts";

/**
 * Writes the configurations with which `wrangler dev` runs the service's Workers on this machine: its options set variables
 * of the first Worker alone.
 * @param port of the service, so that several can run at once
 * @param vars of all of them, with the secrets
 * @returns their paths, that of the Worker which answers first
 */
export async function writeDevConfigs(
  port: number,
  vars: Readonly<NodeJS.Dict<string>>,
): Promise<readonly string[]> {
  // Inside the project, because workerd refuses modules whose path from there begins with `..`.
  const folder = join(root, ".wrangler/dev", String(port));
  await mkdir(folder, { recursive: true });
  const write = async (name: string, config: string, main: string) => {
    const { rawConfig } = experimental_readRawConfig({ config: join(root, config) });
    const own = {
      ...omit(rawConfig, "secrets"),
      main: join(root, main),
      vars: { ...rawConfig.vars, ...vars },
    };
    const file = join(folder, `${name}.json`);
    await writeSecretFile(file, JSON.stringify(own, null, 2));
    return file;
  };
  return [
    await write("edge", edgeConfig, "src/edge/index.ts"),
    await write("main", "wrangler.toml", "scripts/dev/worker.ts"),
    join(root, imagesConfig),
  ];
}
