import { join } from "node:path";
import { Failure } from "./lib/failure.ts";
import { meansOf } from "./lib/installation/means.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { root } from "./lib/wrangler.ts";
import { parseSetupOptions, usage } from "./setup/options.ts";
import { setup } from "./setup/run.ts";

async function main(signal: AbortSignal): Promise<number> {
  try {
    const options = parseSetupOptions(process.argv.slice(2));
    if (options.help) {
      console.log(usage);
      return 0;
    }
    await setup(options, {
      ...meansOf(signal),
      scratch: join(root, ".wrangler/installations"),
    });
    return 0;
  } catch (error) {
    if (signal.aborted) {
      console.error("\nInterrupted. Continue where it stopped: npm run setup");
      return 130;
    }
    console.error(error instanceof Failure ? `\n${error.message}` : error);
    return 1;
  }
}

process.exit(await main(shutdownSignal()));
