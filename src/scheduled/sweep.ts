import type { Deps } from "../domain/deps.ts";
import { resumeStrandedJobs } from "../domain/bulk/run.ts";
import { deleteAbandonedJobs } from "../domain/bulk/staging.ts";
import { removeExpiredPrints } from "../domain/print/removal.ts";
import { resumeStrandedPrints } from "../domain/print/run.ts";
import { forwardStrandedEvents } from "../domain/webhooks/events.ts";
import { pruneSessions } from "../domain/identity/sessions.ts";
import { pruneSignIns } from "../domain/identity/sign-in-links.ts";
import { completePendingRevocations } from "../domain/identity/revocation.ts";
import { pruneBulkItems, pruneIdempotencyRecords, pruneRevokedKeys } from "../domain/operations/pruning.ts";
import { removeUnusedLogos } from "../domain/templates/logo-removal.ts";
import { eraseDeleted } from "../domain/operations/erasure.ts";
import { pruneDeadLetters } from "../domain/operations/dead-letters.ts";
import { noteSweep } from "../domain/operations/sweep-runs.ts";
import { pruneAbuseReports } from "../domain/abuse-reports/review.ts";
import { repairStalePublications } from "../domain/routing/repair.ts";
import { describeError, log } from "../lib/log.ts";

/** Tasks that run every minute: they prune old records and resume work that a crash interrupted. */
const tasks = {
  pruneIdempotencyRecords,
  pruneBulkItems,
  pruneSessions,
  pruneSignIns,
  pruneRevokedKeys,
  eraseDeleted,
  removeUnusedLogos,
  completePendingRevocations,
  pruneDeadLetters,
  pruneAbuseReports,
  forwardStrandedEvents,
  repairStalePublications,
  resumeStrandedJobs,
  deleteAbandonedJobs,
  resumeStrandedPrints,
  removeExpiredPrints,
};

/** Runs every task. A failing task doesn't affect the others and runs again a minute later. */
export async function sweep(deps: Deps): Promise<void> {
  const run = async (task: string, work: (deps: Deps) => Promise<void>) => {
    try {
      await work(deps);
      return true;
    } catch (error) {
      log("error", "sweep failed", { task, error: describeError(error) });
      return false;
    }
  };
  const done = await Promise.all(Object.entries(tasks).map(([task, work]) => run(task, work)));
  await run("noteSweep", () => noteSweep(deps, done.includes(false)));
}
