import { deletePrintFiles } from "../../store/prints/files.ts";
import { type ExpiredPrint, listExpiredPrints, markPrintRemoved } from "../../store/prints/removal.ts";
import type { Deps } from "../deps.ts";
import { printFiles } from "./files.ts";

/** Jobs whose objects one sweep removes, at most. */
const perSweep = 20;

/** Removes the objects of a job. @throws when they can't be removed: the sweep tries again */
export async function removePrint(deps: Deps, job: ExpiredPrint): Promise<void> {
  await deletePrintFiles(printFiles(deps), job);
  await markPrintRemoved(deps.db, job.id, deps.now());
}

/** Removes the files of print jobs a day after their completion, and what other jobs left. */
export async function removeExpiredPrints(deps: Deps): Promise<void> {
  const now = deps.now();
  // Files of a bucket that isn't bound any more can only be removed once it is back.
  const expired = deps.files === undefined ? [] : await listExpiredPrints(deps.db, now, perSweep);
  for (const job of expired) await removePrint(deps, job);
}
