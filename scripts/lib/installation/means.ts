import { setTimeout as delay } from "node:timers/promises";
import { lookUpAt } from "../name-servers.ts";
import { terminalOf } from "../terminal.ts";
import { runWrangler, runWranglerInteractively } from "../wrangler.ts";
import { installationsFolder } from "./installation.ts";

/** How long to wait between two tries to reach a host. */
const pauseMilliseconds = 2_000;

/** Returns what a command works with that changes an installation's hosts: the terminal, wrangler, the network, DNS. */
export const meansOf = (signal: AbortSignal) => ({
  env: process.env,
  folder: installationsFolder,
  say: (line: string) => console.log(line),
  ask: terminalOf(signal),
  wrangler: (args: string[]) => runWrangler(args, signal),
  signIn: () => runWranglerInteractively(["login"]) === 0,
  fetch,
  lookUpAt,
  pause: () => delay(pauseMilliseconds, undefined, { signal }),
  signal,
});
