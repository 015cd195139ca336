import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { deployProblem } from "./lib/deploy-check.ts";
import { root, runWranglerInteractively } from "./lib/wrangler.ts";

/** Deploys the service to the Cloudflare account that wrangler is signed in to. Returns the exit code. */
function deploy(): number {
  const problem = deployProblem(unstable_readConfig({ config: join(root, "wrangler.toml") }));
  if (problem !== undefined) {
    console.error(problem);
    return 1;
  }
  // Migrations come first: the new code may need the new tables.
  return (
    runWranglerInteractively(["d1", "migrations", "apply", "DB", "--remote"]) ||
    runWranglerInteractively(["deploy"])
  );
}

process.exitCode = deploy();
