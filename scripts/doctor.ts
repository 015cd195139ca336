import { setTimeout as delay } from "node:timers/promises";
import { network } from "./doctor/network.ts";
import { parseDoctorOptions, usage } from "./doctor/options.ts";
import { doctor } from "./doctor/run.ts";
import { Failure } from "./lib/failure.ts";
import { installationsFolder } from "./lib/installation/installation.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { runWrangler } from "./lib/wrangler.ts";

/** How long to wait between two reads of a scan's count. */
const pauseMilliseconds = 1_000;

async function main(signal: AbortSignal): Promise<number> {
  try {
    const options = parseDoctorOptions(process.argv.slice(2), process.env);
    if (options.help) {
      console.log(usage);
      return 0;
    }
    const isWell = await doctor(options, {
      ...network,
      env: process.env,
      folder: installationsFolder,
      say: (line) => console.log(line),
      wrangler: (args) => runWrangler(args, signal),
      fetch,
      now: Date.now,
      pause: () => delay(pauseMilliseconds, undefined, { signal }),
      signal,
    });
    return isWell ? 0 : 1;
  } catch (error) {
    if (signal.aborted) return 130;
    console.error(error instanceof Failure ? error.message : error);
    return 1;
  }
}

process.exit(await main(shutdownSignal()));
