import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../../scripts/lib/wrangler.ts";
import { argumentsOf, madeFirstChange } from "../e2e/support/documents/first-change.ts";

const run = promisify(execFile);

it("the first change compiles", async () => {
  using copy = madeFirstChange();
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = await run(tsc, ["-p", "tsconfig.json"], { cwd: copy.folder }).catch((error) => error);
  expect(stdout).toBe("");
});

it("the first change passes the tests that its guide names, with the migration of its guide", async () => {
  using copy = madeFirstChange();
  const bin = (name: string) => join("node_modules/.bin", name);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST") && name !== "TEST_RUNS"),
  );
  const options = { cwd: copy.folder, env, maxBuffer: 64 * 1024 * 1024 };
  await run(bin("drizzle-kit"), ["generate", ...argumentsOf("migrations")], options);
  const tests = argumentsOf("test");
  const { stdout } = await run(bin("vitest"), ["run", ...tests], options).catch((error) => error);
  expect(stdout).toMatch(/\d passed, 0 failed/);
});
