import { join } from "node:path";
import { type Unstable_Config, unstable_readConfig } from "wrangler";
import { root } from "../../../../scripts/lib/wrangler.ts";

/** The content of wrangler.toml. */
export const config: Unstable_Config = unstable_readConfig({ config: join(root, "wrangler.toml") });

/** The requests that a limit of wrangler.toml allows a minute. */
export const rateLimit = (name: string): number | undefined =>
  config.ratelimits.find((each) => each.name === name)?.simple.limit;
