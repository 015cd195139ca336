import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { network } from "./doctor/network.ts";
import { parseDoctorOptions } from "./doctor/options.ts";
import { doctor } from "./doctor/run.ts";
import { Failure } from "./lib/failure.ts";
import { installationsFolder } from "./lib/installation/installation.ts";
import { shutdownSignal } from "./lib/shutdown-signal.ts";
import { updateInstallation } from "./lib/installation/update-installation.ts";
import { root, runWrangler } from "./lib/wrangler.ts";

/** Brings an installation to this version. Usage: npm run deploy [-- PREFIX] */
async function main(signal: AbortSignal): Promise<number> {
  const means = {
    env: process.env,
    folder: installationsFolder,
    wrangler: (args: string[]) => runWrangler(args, signal),
    say: (line: string) => console.log(line),
    fetch,
    pause: () => delay(2000, undefined, { signal }),
    signal,
  };
  try {
    await updateInstallation(process.argv[2], {
      ...means,
      scratch: join(root, ".wrangler/installations"),
      doctor: (prefix) => doctor(parseDoctorOptions([prefix], {}), { ...means, ...network, now: Date.now }),
    });
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    console.error(error instanceof Failure ? error.message : error);
    return 1;
  }
}

process.exit(await main(shutdownSignal()));
