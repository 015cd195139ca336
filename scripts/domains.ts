import { setTimeout as delay } from "node:timers/promises";
import { parseDomainsOptions, usage } from "./domains/options.ts";
import { domains } from "./domains/run.ts";
import { Failure } from "./lib/failure.ts";
import { installationsFolder } from "./lib/installation/installation.ts";
import { lookUpAt } from "./lib/name-servers.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { terminalOf } from "./lib/terminal.ts";
import { runWrangler, runWranglerInteractively } from "./lib/wrangler.ts";

/** How long to wait between two tries to reach a host. */
const pauseMilliseconds = 2_000;

async function main(signal: AbortSignal): Promise<number> {
  try {
    const options = parseDomainsOptions(process.argv.slice(2));
    if (options.action === "help") {
      console.log(usage);
      return 0;
    }
    await domains(options, {
      env: process.env,
      folder: installationsFolder,
      say: (line) => console.log(line),
      ask: terminalOf(signal),
      wrangler: (args) => runWrangler(args, signal),
      signIn: () => runWranglerInteractively(["login"]) === 0,
      fetch,
      lookUpAt,
      pause: () => delay(pauseMilliseconds, undefined, { signal }),
      signal,
    });
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
