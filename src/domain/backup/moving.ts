import { perIsolate } from "../../lib/isolate-memory.ts";
import { describeError, log } from "../../lib/log.ts";
import { isMoving } from "../../store/backup/records.ts";
import type { Deps } from "../deps.ts";

/** How long an isolate trusts an answer, milliseconds. The command that begins a move waits longer. */
const trusted = 5000;

const known = perIsolate(() => ({ at: Number.NEGATIVE_INFINITY, refuses: false }));

/**
 * Returns whether changes are refused, because the installation is being moved to another account or host, where those
 * made until then would be missing. Scans and forms go on: they are carried over.
 */
export async function refusesChanges(deps: Deps): Promise<boolean> {
  const memory = known(deps);
  const now = deps.now();
  if (now - memory.at >= trusted || now < memory.at) {
    try {
      Object.assign(memory, { at: now, refuses: await isMoving(deps.db) });
    } catch (error) {
      // The last answer stands. A catalogue that can't be read stores no change, and the part that is asked says so.
      log("warn", "not known whether the service is being moved", { error: describeError(error) });
    }
  }
  return memory.refuses;
}
