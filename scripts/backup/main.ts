import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { exitCodeOf } from "../lib/failure.ts";
import { installationsFolder } from "../lib/installation/installation.ts";
import { shutdownSignal } from "../lib/shutdown-signal.ts";
import { root, runWrangler } from "../lib/wrangler.ts";
import type { Means } from "./reach.ts";

/** How long to wait between two tries, and how long wrangler may take, milliseconds. */
const pauseMilliseconds = 2000;
const wranglerMilliseconds = 120_000;

/** Runs a command with what this machine has. @returns its exit code */
export async function run(command: (means: Means) => Promise<void>): Promise<number> {
  const signal = shutdownSignal();
  try {
    await command({
      folder: installationsFolder,
      scratch: join(root, ".wrangler/installations"),
      wrangler: (args) => runWrangler(args, AbortSignal.timeout(wranglerMilliseconds)),
      fetch,
      signal,
      say: (line) => console.log(line),
      time: Date.now,
      pause: () => delay(pauseMilliseconds, undefined, { signal }),
    });
    return 0;
  } catch (error) {
    return exitCodeOf(error, signal);
  }
}
