import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { refusal } from "./lib/deploy-check.ts";
import { root, typeWrangler } from "./lib/wrangler.ts";

/** Brings the service to the Cloudflare account that wrangler is signed in to. Returns the exit code. */
function deploy(): number {
  const refused = refusal(unstable_readConfig({ config: join(root, "wrangler.toml") }));
  if (refused !== undefined) {
    console.error(refused);
    return 1;
  }
  // The catalogue first: new code may need the new tables.
  return typeWrangler(["d1", "migrations", "apply", "DB", "--remote"]) || typeWrangler(["deploy"]);
}

process.exitCode = deploy();
