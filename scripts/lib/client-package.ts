import { execFile, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { generateTypes } from "./client-types.ts";
import { root } from "./wrangler.ts";

/** The folder of the client's package. */
export const client = join(root, "clients/typescript");

const bin = (name: string) => join(root, "node_modules/.bin", name);

/** Runs a program to its end, and shows what it prints. @throws if it fails */
export async function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<void> {
  const shell = process.platform === "win32";
  const [code] = await once(spawn(command, args, { stdio: "inherit", shell, ...options }), "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
}

/** Compiles the library for every runtime, and the command line for Node alone. */
export async function compile(folder: string, ...args: string[]): Promise<void> {
  await generateTypes(folder);
  for (const project of ["tsconfig.json", "tsconfig.cli.json"]) {
    await run(bin("tsc"), ["-p", join(folder, project), ...args]);
  }
}

/** Compiles the package to its `dist`. @param folder of the package, or of a copy of it */
export async function build(folder: string): Promise<void> {
  await rm(join(folder, "dist"), { recursive: true, force: true });
  await compile(folder);
  await chmod(join(folder, "dist/cli/main.js"), 0o755);
  for (const file of await readdir(join(folder, "dist"), { recursive: true })) {
    if (file.endsWith(".d.ts")) await renameImports(join(folder, "dist", file));
  }
}

/** Lets a declaration import `.js` files, as the compiler does in the code alone. */
async function renameImports(file: string): Promise<void> {
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
}

/** Checks the built package as others install it. @throws with what is wrong */
export async function checkPackage(folder: string): Promise<void> {
  for (const [command, ...args] of [
    ["publint", "--strict", folder],
    ["attw", "--pack", folder, "--profile", "esm-only"],
  ] as const) {
    await promisify(execFile)(bin(command), args).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${command}:\n${error.stdout}${error.stderr}`);
    });
  }
}
