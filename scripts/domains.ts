import { parseDomainsOptions, usage } from "./domains/options.ts";
import { domains } from "./domains/run.ts";
import { Failure } from "./lib/failure.ts";
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
    if (signal.aborted) {
      console.error("\nInterrupted. Run the same command again.");
      return 130;
    }
    console.error(error instanceof Failure ? `\n${error.message}` : error);
    return 1;
  }
}

process.exit(await main(shutdownSignal()));
