import { describeError, log } from "../../lib/log.ts";
import { type JobTable, takeUnfinishedJobs, type WaitingJob } from "../../store/jobs/lease.ts";
import type { Deps } from "../deps.ts";

/** Queues work on a job, or for print jobs, on the workspace's next one. If the queue refuses, the sweep does it later. */
export async function enqueueJob(
  deps: Deps,
  table: JobTable,
  { id, workspaceId }: Pick<WaitingJob, "id" | "workspaceId">,
  delaySeconds = 0,
): Promise<void> {
  try {
    if (table === "print_jobs") await deps.printQueue.send({ workspaceId }, { delaySeconds });
    else await deps.bulkQueue.send({ task: "run", workspaceId, jobId: id }, { delaySeconds });
  } catch (error) {
    log("error", "job not queued; the sweep will retry it", { jobId: id, error: describeError(error) });
  }
}

/** How often the sweep runs, milliseconds. */
const sweepInterval = 60_000;

/**
 * Queues every unfinished job that is free or will be before the next sweep, since its message may be lost and its
 * worker dead. So a job resumes within a minute. If neither was lost, the message finds the job held or finished.
 */
export async function resumeStrandedJobs(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const table of ["bulk_jobs", "print_jobs"] as const) {
    for (const job of await takeUnfinishedJobs(deps.db, table, now, now + sweepInterval)) {
      await enqueueJob(deps, table, job, Math.ceil((job.resumeAt - now) / 1000));
    }
  }
}
