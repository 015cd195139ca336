import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { deployProblem, deployWarning } from "./lib/deploy-check.ts";
import { imagesConfig, root, runWranglerInteractively } from "./lib/wrangler.ts";

/** Deploys the service to the Cloudflare account that wrangler is signed in to. Returns the exit code. */
function deploy(): number {
  const config = unstable_readConfig({ config: join(root, "wrangler.toml") });
  const problem = deployProblem(config);
  if (problem !== undefined) {
    console.error(problem);
    return 1;
  }
  const warning = deployWarning(config);
  if (warning !== undefined) console.warn(warning);
  // Migrations run first, because the new code may need the new tables. So does the images Worker, which the new code
  // calls.
  return (
    runWranglerInteractively(["d1", "migrations", "apply", "DB", "--remote"]) ||
    runWranglerInteractively(["deploy", "-c", imagesConfig]) ||
    runWranglerInteractively(["deploy"])
  );
}

process.exitCode = deploy();
