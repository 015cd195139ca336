import { parseDomainsOptions, usage } from "./domains/options.ts";
import { domains } from "./domains/run.ts";
import { exitCodeOf } from "./lib/failure.ts";
import { meansOf } from "./lib/installation/means.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";

async function main(signal: AbortSignal): Promise<number> {
  try {
    const options = parseDomainsOptions(process.argv.slice(2));
    if (options.action === "help") {
      console.log(usage);
      return 0;
    }
    await domains(options, meansOf(signal));
    return 0;
  } catch (error) {
    return exitCodeOf(error, signal, "\n");
  }
}

process.exit(await main(shutdownSignal()));
