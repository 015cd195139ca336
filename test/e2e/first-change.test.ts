import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../../scripts/lib/wrangler.ts";
import { madeFirstChange } from "./support/first-change.ts";

const run = promisify(execFile);

it("the first change fits the files it names and compiles", async () => {
  using copy = madeFirstChange();
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = await run(tsc, ["-p", "tsconfig.json"], { cwd: copy.folder }).catch((error) => error);
  expect(stdout).toBe("");
});
