import { describeError, log } from "../../lib/log.ts";
import { acquireLease, type JobTable, type Lease, releaseLease, renewLease } from "../../store/jobs/lease.ts";
import type { Deps } from "../deps.ts";
import { enqueueJob } from "./queue.ts";

/** A kind of job: its table, and the timing of work on it. */
export interface JobKind {
  readonly table: JobTable;
  /** How long a worker holds a job, which is longer than a slice takes. After that, another worker takes over. */
  readonly leaseSeconds: number;
  /** A job that failed this many times in succession ends as failed. */
  readonly maxAttempts: number;
  /** Returns the seconds until the next attempt. @param attempts consecutive failures */
  retryAfter(attempts: number): number;
}

/** A job that a worker may take. */
interface DueJob {
  readonly id: string;
  readonly workspaceId: string;
  /** How many times it has been taken since it last made progress. */
  readonly attempts: number;
  /** Epoch milliseconds: in the future while a worker holds it. Null if nothing is left to do. */
  readonly resumeAt: number | null;
}

/** The work on a job that a worker holds. */
interface Work {
  /** Does one share of the work, and releases the job. If it throws, the job is left alone until its next attempt. */
  readonly next: (lease: Lease) => Promise<void>;
  /** Ends the job as failed. */
  readonly giveUp: (lease: Lease) => Promise<void>;
}

/**
 * Works on a job, if it is free. Repeating this, even concurrently, does no share of the work twice.
 * @returns seconds to wait while another worker has the job or it waits for its next attempt; otherwise 0
 */
export async function runHeld(deps: Deps, kind: JobKind, job: DueJob, work: Work): Promise<number> {
  const { id, attempts, resumeAt } = job;
  if (resumeAt === null) return 0;
  const lease =
    resumeAt > deps.now()
      ? undefined
      : await acquireLease(deps.db, kind.table, id, resumeAt, leaseEnd(deps, kind));
  // At least one second: clocks differ, so a job may become free slightly after its message arrives.
  if (lease === undefined) return Math.max(1, Math.ceil((resumeAt - deps.now()) / 1000));
  try {
    await (attempts < kind.maxAttempts ? work.next(lease) : work.giveUp(lease));
  } catch (error) {
    log("error", "job failed; it will be tried again", { jobId: id, error: describeError(error) });
    await backOff(deps, kind, job, lease);
  }
  return 0;
}

/** Leaves a job alone until its next attempt. If that can't be stored, the lease expires. */
async function backOff(deps: Deps, kind: JobKind, job: DueJob, lease: Lease): Promise<void> {
  const seconds = kind.retryAfter(job.attempts + 1);
  try {
    const isHeld = await releaseLease(deps.db, lease, deps.now() + seconds * 1000);
    // Slightly later, because clocks differ.
    if (isHeld) await enqueueJob(deps, kind.table, job, seconds + 1);
  } catch (error) {
    log("warn", "job not released", { jobId: job.id, error: describeError(error) });
  }
}

/**
 * Renews a lease of which a third is used, for work of many steps: call it before each step.
 * @throws if another worker has taken the job
 */
export async function keepLease(deps: Deps, kind: JobKind, lease: Lease): Promise<void> {
  const left = lease.until - deps.now();
  if (left > (kind.leaseSeconds * 1000 * 2) / 3) return;
  if (await renewLease(deps.db, lease, leaseEnd(deps, kind))) return;
  throw new Error(`another worker has job ${lease.jobId}`);
}

/** Returns until when a worker holds a job that it takes or continues now, epoch milliseconds. */
export const leaseEnd = (deps: Deps, { leaseSeconds }: Pick<JobKind, "leaseSeconds">): number =>
  deps.now() + leaseSeconds * 1000;
