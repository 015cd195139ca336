import { build, checkPackage, client, compile, run } from "./lib/client-package.ts";
import { generateTypes } from "./lib/client-types.ts";

const usage = `Usage: npm run client -- COMMAND

  generate   writes the types of the OpenAPI document, for the type checker and the editor
  typecheck  generates them and checks the client's types
  build      compiles the client to clients/typescript/dist
  pack       builds, checks the package as others install it, and writes it to clients/typescript
  publish    does the same and publishes it; what follows is passed on to npm publish
`;

/** @param args of npm, to be run in the client's folder */
async function release(...args: string[]): Promise<void> {
  await build(client);
  await checkPackage(client);
  await run("npm", args, { cwd: client });
}

const [command, ...rest] = process.argv.slice(2);
if (command === "generate") await generateTypes(client);
else if (command === "typecheck") await compile(client, "--noEmit");
else if (command === "build") await build(client);
else if (command === "pack") await release("pack");
else if (command === "publish") await release("publish", ...rest);
else {
  console.error(usage);
  process.exitCode = 2;
}
