import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { client, generateTypes } from "./lib/client-types.ts";
import { root } from "./lib/wrangler.ts";

const usage = `Usage: npm run client -- COMMAND

  generate   writes the types of the OpenAPI document, for the type checker and the editor
  typecheck  generates them and checks the client's types
  build      compiles the client to clients/typescript/dist
  pack       builds, checks the package as others install it, and writes it to clients/typescript
  publish    does the same and publishes it; what follows is passed on to npm publish
`;

const bin = (name: string) => join(root, "node_modules/.bin", name);

/** Runs a program to its end. @throws if it fails */
async function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<void> {
  const shell = process.platform === "win32";
  const [code] = await once(spawn(command, args, { stdio: "inherit", shell, ...options }), "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
}

/** Compiles the library for every runtime, and the command line for Node alone. */
const compile = async (...args: string[]) => {
  await generateTypes();
  for (const project of ["tsconfig.json", "tsconfig.cli.json"]) {
    await run(bin("tsc"), ["-p", join(client, project), ...args]);
  }
};

async function build(): Promise<void> {
  await rm(join(client, "dist"), { recursive: true, force: true });
  await compile();
  await chmod(join(client, "dist/cli/main.js"), 0o755);
}

/** @param args of npm, to be run in the client's folder */
async function release(...args: string[]): Promise<void> {
  await build();
  await run(bin("publint"), ["--strict", client]);
  await run(bin("attw"), ["--pack", client, "--profile", "esm-only"]);
  await run("npm", args, { cwd: client });
}

const [command, ...rest] = process.argv.slice(2);
if (command === "generate") await generateTypes();
else if (command === "typecheck") await compile("--noEmit");
else if (command === "build") await build();
else if (command === "pack") await release("pack");
else if (command === "publish") await release("publish", ...rest);
else {
  console.error(usage);
  process.exitCode = 2;
}
