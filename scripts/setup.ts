import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { lookUpAt } from "./lib/name-servers.ts";
import { Failure } from "./lib/failure.ts";
import { installationsFolder } from "./lib/installation/installation.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { terminalOf } from "./lib/terminal.ts";
import { root, runWrangler, runWranglerInteractively } from "./lib/wrangler.ts";
import { parseSetupOptions, usage } from "./setup/options.ts";
import { setup } from "./setup/run.ts";

/** How long to wait between two tries to reach the deployed service. */
const pauseMilliseconds = 2_000;

async function main(signal: AbortSignal): Promise<number> {
  try {
    const options = parseSetupOptions(process.argv.slice(2));
    if (options.help) {
      console.log(usage);
      return 0;
    }
    await setup(options, {
      env: process.env,
      folder: installationsFolder,
      scratch: join(root, ".wrangler/installations"),
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
      console.error("\nInterrupted. Go on where it stopped: npm run setup");
      return 130;
    }
    console.error(error instanceof Failure ? `\n${error.message}` : error);
    return 1;
  }
}

process.exit(await main(shutdownSignal()));
