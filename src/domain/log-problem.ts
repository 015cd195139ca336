import { perIsolate } from "../lib/isolate-memory.ts";
import { log } from "../lib/log.ts";
import type { Deps } from "./deps.ts";

const logged = perIsolate(() => new Set<string>());

/** Logs why a setting is unusable, once per isolate. @param message the fixed phrase of the log line */
export function logProblemOnce(deps: Deps, message: string, problem: string): void {
  if (logged(deps).has(message)) return;
  logged(deps).add(message);
  log("warn", message, { problem });
}
