import { limits } from "../../contract/limits.ts";
import { describeError, log } from "../../lib/log.ts";
import { newId } from "../../lib/text/ids.ts";
import type { Actor } from "../../protocol/history.ts";
import type { JobRun } from "../../protocol/messages.ts";
import {
  acquireLease,
  findPendingRow,
  findProgress,
  listUnfinishedJobs,
  type JobProgress,
  type Lease,
  passLease,
  releaseLease,
  takeUnfinishedJobs,
} from "../../store/bulk/lease.ts";
import { failJob, type Slice } from "../../store/bulk/progress.ts";
import { findPlan } from "../../store/workspaces/workspaces.ts";
import type { Deps } from "../deps.ts";
import { requireFound, workspaceDeleted } from "../errors.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { type ChangedSlice, changeSlice, settleSlice } from "./change-slice.ts";
import { createSlice, slicesAtOnce } from "./create-slice.ts";
import { enqueueFills } from "./fill.ts";
import { bulkTiming, leaseEnd, takeTurns } from "./pace.ts";

/** Queues a job. If the queue refuses, the sweep does it later. @param delaySeconds until the message is delivered */
export async function enqueueRun(
  deps: Deps,
  workspaceId: string,
  jobId: string,
  delaySeconds = 0,
): Promise<void> {
  try {
    await deps.bulkQueue.send({ task: "run", workspaceId, jobId }, { delaySeconds });
  } catch (error) {
    log("error", "bulk job not queued; the sweep will retry it", { jobId, error: describeError(error) });
  }
}

/** Schedules work to run after the message is acknowledged. */
type Defer = (work: Promise<void>) => void;

/**
 * Works on a job, slice by slice, until it is finished or the invocation's share is done. Repeating this, even
 * concurrently, creates no code twice.
 * @returns seconds to wait while another worker has the job or it waits for its next attempt; otherwise 0
 * @throws if a slice fails; the job can be run again after `retrySeconds`
 */
export async function runJob(deps: Deps, run: JobRun, defer: Defer): Promise<number> {
  const job = await findProgress(deps.db, run.workspaceId, run.jobId);
  if (job === undefined || job.resumeAt === null) return 0;
  const lease = await acquireIfFree(deps, run.jobId, job.resumeAt);
  if (lease === undefined) return secondsUntil(deps, job.resumeAt);
  if (job.completedAt !== null) {
    await finish(deps, run, job, lease);
  } else if (job.attempts >= bulkTiming.maxAttempts) {
    await giveUp(deps, run, job, lease);
  } else {
    await runNextSlices(deps, run, job, lease, defer);
  }
  return 0;
}

/**
 * Ends a job as failed after its message has failed every retry, unless the job has made progress since.
 * @returns seconds to wait while that can't be decided yet; otherwise 0
 */
export async function endDeadJob(deps: Deps, run: JobRun): Promise<number> {
  const job = await findProgress(deps.db, run.workspaceId, run.jobId);
  if (job === undefined || job.resumeAt === null || job.completedAt !== null || job.attempts === 0) return 0;
  const lease = await acquireIfFree(deps, run.jobId, job.resumeAt);
  if (lease === undefined) return secondsUntil(deps, job.resumeAt);
  await giveUp(deps, run, job, lease);
  return 0;
}

async function acquireIfFree(deps: Deps, jobId: string, resumeAt: number): Promise<Lease | undefined> {
  return resumeAt > deps.now() ? undefined : acquireLease(deps.db, jobId, resumeAt, leaseEnd(deps));
}

/** At least one second: clocks differ, so a job may become free slightly after its message arrives. */
const secondsUntil = (deps: Deps, resumeAt: number): number =>
  Math.max(1, Math.ceil((resumeAt - deps.now()) / 1000));

async function runNextSlices(
  deps: Deps,
  run: JobRun,
  job: JobProgress,
  lease: Lease,
  defer: Defer,
): Promise<void> {
  const { workspaceId } = run;
  const { plan, isBeingDeleted } = requireFound(await findPlan(deps.db, workspaceId), "Workspace");
  if (isBeingDeleted) {
    await end(deps, run, job, lease, deletedError);
    return;
  }
  const context = { workspaceId, plan, actor: job.actor ?? unknownActor(run.jobId) };
  if (job.kind === "create") await createNextSlices(deps, context, run, job, lease);
  else await updateNextSlice(deps, context, run, job, lease, defer);
}

/** Returns the actor of a job of which nobody recorded who began it. */
const unknownActor = (jobId: string): Actor => ({
  kind: "job",
  id: jobId,
  name: "Bulk job",
  via: "service",
  requestId: null,
});

async function createNextSlices(
  deps: Deps,
  context: WorkspaceContext,
  run: JobRun,
  job: JobProgress,
  lease: Lease,
): Promise<void> {
  const end = Math.min(job.nextSlice + slicesAtOnce, job.slices.length);
  let held = lease;
  try {
    for (let index = job.nextSlice; index < end; index += 1) {
      const renewed = await createSlice(deps, context, sliceOf(run, job, index), held);
      // The slice took longer than the lease, and another worker took over.
      if (renewed === undefined) return;
      held = renewed;
      await takeTurns(deps);
    }
  } catch (error) {
    await backOff(deps, held);
    throw error;
  }
  if (end === job.slices.length) await finish(deps, run, job, held);
  else await leaveToNext(deps, run, held);
}

/**
 * Changes the codes of the next slice; once all are changed, settles a slice whose worker died. Publishing takes
 * longest, so another worker takes the job in the meantime: slices are changed one after the other and published in
 * parallel. Each slice has its own invocation, so that several workspaces' jobs alternate, and writes to the route
 * cache stay within KV's 1,000 operations.
 */
async function updateNextSlice(
  deps: Deps,
  context: WorkspaceContext,
  run: JobRun,
  job: JobProgress & { readonly kind: "update" },
  lease: Lease,
  defer: Defer,
): Promise<void> {
  const isRepetition = job.nextSlice === job.slices.length;
  const slice = sliceOf(run, job, isRepetition ? await findUnsettled(deps, run, job) : job.nextSlice);
  try {
    const changed = await changeSlice(deps, context, job.change, slice);
    if (!isRepetition && mayOverlap(sliceOf(run, job, slice.index + 1), job)) {
      const isHeld = await passLease(deps.db, lease, slice.index + 1, deps.now());
      defer(settleLater(deps, changed));
      if (isHeld) await enqueueRun(deps, run.workspaceId, run.jobId);
      return;
    }
    await settleSlice(deps, changed);
  } catch (error) {
    await backOff(deps, lease);
    throw error;
  }
  // Workers of earlier slices have the length of a lease to settle them.
  const isLast = slice.index + 1 === job.slices.length && !isRepetition;
  await leaveToNext(deps, run, lease, isLast ? bulkTiming.leaseSeconds : 0);
}

function sliceOf({ workspaceId, jobId }: JobRun, { slices, totalItems }: JobProgress, index: number): Slice {
  const [from = totalItems, next = totalItems] = slices.slice(index);
  return { workspaceId, jobId, index, from, size: next - from };
}

/**
 * Returns the index of the first slice with pending items; the last slice if another worker has just settled them all.
 */
async function findUnsettled(
  deps: Deps,
  { jobId }: JobRun,
  { slices, totalItems }: JobProgress,
): Promise<number> {
  const row = (await findPendingRow(deps.db, jobId)) ?? totalItems;
  return slices.findLastIndex((from) => from <= row);
}

/** Returns whether a slice can be changed while those before it are published. */
const mayOverlap = ({ from, size }: Slice, { settledItems }: JobProgress): boolean =>
  size > 0 && from + size - settledItems <= limits.bulkUpdate.unsettled;

/** Settles a slice after the job was passed on. If this fails, the job returns to the slice at its end. */
async function settleLater(deps: Deps, changed: ChangedSlice): Promise<void> {
  try {
    await settleSlice(deps, changed);
  } catch (error) {
    const { jobId, from, size } = changed.slice;
    log("error", "slice of a bulk job not settled", { jobId, from, size, error: describeError(error) });
  }
}

/** Passes the job to the next message, unless it is finished or another worker has it. */
async function leaveToNext(deps: Deps, run: JobRun, lease: Lease, delaySeconds = 0): Promise<void> {
  const isHeld = await releaseLease(deps.db, lease, deps.now() + delaySeconds * 1000);
  if (isHeld) await enqueueRun(deps, run.workspaceId, run.jobId, delaySeconds);
}

/** Leaves the job alone until its next attempt. If that can't be stored, the lease expires. */
async function backOff(deps: Deps, lease: Lease): Promise<void> {
  try {
    await releaseLease(deps.db, lease, deps.now() + bulkTiming.retrySeconds * 1000);
  } catch (error) {
    log("warn", "bulk job not released", { jobId: lease.jobId, error: describeError(error) });
  }
}

async function giveUp(deps: Deps, run: JobRun, job: JobProgress, lease: Lease): Promise<void> {
  log("error", "bulk job failed", { jobId: run.jobId, attempts: job.attempts });
  await end(deps, run, job, lease, giveUpErrors[job.kind]);
}

/** Ends a job as failed, with these errors of the job and of its pending items. */
async function end(
  deps: Deps,
  run: JobRun,
  job: JobProgress,
  lease: Lease,
  errors: Parameters<typeof failJob>[2],
): Promise<void> {
  const now = deps.now();
  await failJob(deps.db, run.jobId, errors, newId(now), now);
  await finish(deps, run, job, lease);
}

/** How many jobs end with the request that deletes their workspace. Others end when they are run next. */
const endedAtOnce = 100;

const deletedError = { job: `${workspaceDeleted}.`, item: `${workspaceDeleted}.` };

/** Ends the jobs of a workspace that is being deleted. Their workers find no pending items any more. */
export async function endJobs(deps: Deps, workspaceId: string): Promise<void> {
  for (const jobId of await listUnfinishedJobs(deps.db, workspaceId, endedAtOnce)) {
    const now = deps.now();
    await failJob(deps.db, jobId, deletedError, newId(now), now);
  }
}

/** The errors of a job that ends as failed, and of its items, by kind. */
const giveUpErrors = {
  create: {
    job: "Something went wrong on our side, so the job couldn't finish. Rows without a code have failed. Send them again.",
    item: "The code couldn't be created because something went wrong on our side. Send the row again.",
  },
  update: {
    job: "Something went wrong on our side, so the job couldn't finish. Codes that were not changed have failed. Change them again.",
    item: "The code couldn't be changed because something went wrong on our side. Change it again.",
  },
};

/**
 * Finishes a job whose items are all settled. The routes of new codes are written to the route cache through the queue;
 * if the queue refuses, the sweep runs the job again.
 */
async function finish(deps: Deps, run: JobRun, job: JobProgress, lease: Lease): Promise<void> {
  const queued = job.kind === "update" || (await enqueueFills(deps, run, job.totalItems));
  await releaseLease(deps.db, lease, queued ? null : deps.now());
}

/**
 * Queues every unfinished job that is free or will be before the next sweep, since its message may be lost and its
 * worker dead. So a job resumes within a minute. If neither was lost, the message finds the job held or finished.
 */
export async function resumeStrandedJobs(deps: Deps): Promise<void> {
  const now = deps.now();
  const nextSweep = now + bulkTiming.sweepSeconds * 1000;
  for (const { id, workspaceId, resumeAt } of await takeUnfinishedJobs(deps.db, now, nextSweep)) {
    await enqueueRun(deps, workspaceId, id, Math.ceil((resumeAt - now) / 1000));
  }
}
