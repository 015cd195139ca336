import { limits } from "../../contract/limits.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { deletePrintFiles } from "../../store/prints/files.ts";
import {
  type ExpiredPrint,
  listExpiredPrints,
  markPrintRemoved,
  prunePrintJobs,
} from "../../store/prints/removal.ts";
import type { Deps } from "../deps.ts";
import { printFiles } from "./files.ts";

/** Jobs whose objects one sweep removes, and jobs that it deletes, at most. */
const perSweep = { removals: 20, deletions: 1000 };

/** Removes the objects of a job. @throws when they can't be removed: the sweep tries again */
export async function removePrint(deps: Deps, job: ExpiredPrint): Promise<void> {
  await deletePrintFiles(printFiles(deps), job);
  await markPrintRemoved(deps.db, job.id, deps.now());
}

/** Removes the files of print jobs a day after their completion, what other jobs left, and later the jobs. */
export async function removeExpiredPrints(deps: Deps): Promise<void> {
  const now = deps.now();
  // Files of a bucket that isn't bound any more can only be removed once it is back.
  const expired = deps.files === undefined ? [] : await listExpiredPrints(deps.db, now, perSweep.removals);
  for (const job of expired) await removePrint(deps, job);
  await prunePrintJobs(deps.db, now - limits.printJob.days * dayLength, perSweep.deletions);
}
