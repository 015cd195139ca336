import type { Deps } from "../domain/deps.ts";
import { resumeStuckJobs } from "../domain/bulk/jobs.ts";
import { forwardLeftEvents } from "../domain/webhooks/events.ts";
import { pruneIdempotencyRecords } from "../domain/idempotency.ts";
import { repairStalePublications } from "../domain/routing/publish.ts";
import { describeError, log } from "../lib/log.ts";

/** What runs each minute: cleaning up, and taking up what was left behind. */
const tasks = { pruneIdempotencyRecords, forwardLeftEvents, repairStalePublications, resumeStuckJobs };

/** Runs every task; one that fails leaves the others be, and comes again in a minute. */
export async function sweep(deps: Deps): Promise<void> {
  await Promise.all(
    Object.entries(tasks).map(async ([task, run]) => {
      try {
        await run(deps);
      } catch (error) {
        log("error", "sweep failed", { task, error: describeError(error) });
      }
    }),
  );
}
