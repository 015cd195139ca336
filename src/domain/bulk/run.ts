import { limits } from "../../contract/limits.ts";
import { describeError, log } from "../../lib/log.ts";
import { newId } from "../../lib/text/ids.ts";
import type { Actor } from "../../protocol/history.ts";
import type { JobRun } from "../../protocol/messages.ts";
import { failJob, type Slice } from "../../store/bulk/progress.ts";
import {
  findPendingRow,
  findProgress,
  type JobProgress,
  listUnfinishedJobs,
  passLease,
} from "../../store/bulk/run.ts";
import { type Lease, releaseLease } from "../../store/jobs/lease.ts";
import { findPlan } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireFound, workspaceDeleted } from "../errors.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { runHeld } from "../jobs/run.ts";
import { yieldToOtherRequests } from "../yielding.ts";
import { type ChangedSlice, changeSlice, settleSlice } from "./changes/change-slice.ts";
import { createSlice, slicesAtOnce } from "./create-slice.ts";
import { enqueueFills } from "./fill.ts";
import { bulkJobs } from "./kind.ts";

/** Schedules work to run after the message is acknowledged. */
type Defer = (work: Promise<void>) => void;

/**
 * Works on a job, slice by slice, until it is finished or the invocation's share is done. Repeating this, even
 * concurrently, creates no code twice.
 * @returns seconds to wait while another worker has the job or it waits for its next attempt; otherwise 0
 */
export async function runBulk(deps: Deps, run: JobRun, defer: Defer): Promise<number> {
  const job = await findProgress(deps.db, run.workspaceId, run.jobId);
  if (job === undefined) return 0;
  const isCompleted = job.completedAt !== null;
  return runHeld(deps, bulkJobs, job, {
    next: (lease) => (isCompleted ? finish(deps, job, lease) : runNextSlices(deps, job, lease, defer)),
    giveUp: (lease) => (isCompleted ? finish(deps, job, lease) : giveUp(deps, job, lease)),
  });
}

/** How often a request works on its job or waits for another worker, and how long it waits, milliseconds. */
const atOnce = { rounds: 20, pause: 250 };

/**
 * Begins a stored job. One of a few codes is finished before this returns if `isAwaited`, as far as that takes only
 * seconds; any other is left to the queue, also while another job of the workspace is unfinished.
 */
export async function beginJob(deps: Deps, run: JobRun, codes: number, isAwaited: boolean): Promise<void> {
  const isFinished =
    isAwaited &&
    codes <= limits.bulkUpdate.atOnce &&
    (await isAlone(deps, run)) &&
    (await finishAtOnce(deps, run).catch(report(run.jobId)));
  if (!isFinished) await enqueueJob(deps, bulkJobs.table, { id: run.jobId, workspaceId: run.workspaceId });
}

/** Returns whether a workspace has no other unfinished job, so that it can't occupy the catalogue by many at once. */
const isAlone = async (deps: Deps, { workspaceId, jobId }: JobRun): Promise<boolean> =>
  (await listUnfinishedJobs(deps.db, workspaceId, 2)).every((id) => id === jobId);

async function finishAtOnce(deps: Deps, run: JobRun): Promise<boolean> {
  for (let round = 0; round < atOnce.rounds; round += 1) {
    const settling: Promise<void>[] = [];
    const seconds = await runBulk(deps, run, (work) => settling.push(work));
    await Promise.all(settling);
    const job = await findProgress(deps.db, run.workspaceId, run.jobId);
    if (job === undefined || job.completedAt !== null) return true;
    if (seconds > 0) await deps.pause(atOnce.pause);
  }
  return false;
}

/** Returns a handler that logs why a job's request didn't finish it. */
const report = (jobId: string) => (error: unknown) => {
  log("error", "bulk job left to the queue", { jobId, error: describeError(error) });
  return false;
};

async function runNextSlices(deps: Deps, job: JobProgress, lease: Lease, defer: Defer): Promise<void> {
  const { workspaceId } = job;
  const { plan, isBeingDeleted } = requireFound(await findPlan(deps.db, workspaceId), "Workspace");
  if (isBeingDeleted) {
    await end(deps, job, lease, deletedError);
    return;
  }
  const context = { workspaceId, plan, actor: job.actor ?? unknownActor(job.id) };
  if (job.kind === "create") await createNextSlices(deps, context, job, lease);
  else await updateNextSlice(deps, context, job, lease, defer);
}

/** The actor of jobs from before actors were recorded. */
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
  job: JobProgress & { readonly kind: "create" },
  lease: Lease,
): Promise<void> {
  // Slices that change codes call every feed, too, and an invocation has a bound of calls.
  const end = Math.min(job.nextSlice + (job.change === null ? slicesAtOnce : 1), job.slices.length);
  for (let index = job.nextSlice; index < end; index += 1) {
    // If the slice took longer than the lease, another worker has taken over.
    if (!(await createSlice(deps, context, job.change, sliceOf(job, index), lease))) return;
    await yieldToOtherRequests(deps);
  }
  if (end === job.slices.length) await finish(deps, job, lease);
  else await leaveToNext(deps, job, lease);
}

/**
 * Changes the codes of the next slice; once all are changed, settles a slice whose worker died. Publishing takes
 * longest, so another worker takes the job in the meantime: slices are changed one after the other and published in
 * parallel. Each slice has its own invocation, so that several workspaces' jobs alternate, and the later writes of its
 * routes stay within KV's 1,000 operations.
 */
async function updateNextSlice(
  deps: Deps,
  context: WorkspaceContext,
  job: JobProgress & { readonly kind: "update" },
  lease: Lease,
  defer: Defer,
): Promise<void> {
  const isRepetition = job.nextSlice === job.slices.length;
  const slice = sliceOf(job, isRepetition ? await findUnsettled(deps, job) : job.nextSlice);
  const changed = await changeSlice(deps, context, job.change, slice);
  if (!isRepetition && mayOverlap(sliceOf(job, slice.index + 1), job)) {
    const isHeld = await passLease(deps.db, lease, slice.index + 1, deps.now());
    defer(settleLater(deps, changed));
    if (isHeld) await enqueueJob(deps, bulkJobs.table, job);
    return;
  }
  await settleSlice(deps, changed);
  if (job.slices.length === 1) {
    await finish(deps, job, lease);
    return;
  }
  // Workers of earlier slices have the length of a lease to settle them.
  const isLast = slice.index + 1 === job.slices.length && !isRepetition;
  await leaveToNext(deps, job, lease, isLast ? bulkJobs.leaseSeconds : 0);
}

function sliceOf({ workspaceId, id, slices, totalItems }: JobProgress, index: number): Slice {
  const [from = totalItems, next = totalItems] = slices.slice(index);
  return { workspaceId, jobId: id, index, from, size: next - from };
}

/**
 * Returns the index of the first slice with pending items; the last slice if another worker has just settled them all.
 */
async function findUnsettled(deps: Deps, { id, slices, totalItems }: JobProgress): Promise<number> {
  const row = (await findPendingRow(deps.db, id)) ?? totalItems;
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
async function leaveToNext(deps: Deps, job: JobProgress, lease: Lease, delaySeconds = 0): Promise<void> {
  const isHeld = await releaseLease(deps.db, lease, deps.now() + delaySeconds * 1000);
  if (isHeld) await enqueueJob(deps, bulkJobs.table, job, delaySeconds);
}

async function giveUp(deps: Deps, job: JobProgress, lease: Lease): Promise<void> {
  log("error", "bulk job failed", { jobId: job.id, attempts: job.attempts });
  await end(deps, job, lease, giveUpErrors[job.kind]);
}

/** Ends a job as failed, with these errors of the job and of its pending items. */
async function end(
  deps: Deps,
  job: JobProgress,
  lease: Lease,
  errors: Parameters<typeof failJob>[2],
): Promise<void> {
  const now = deps.now();
  await failJob(deps.db, job.id, errors, newId(now), now);
  await finish(deps, job, lease);
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
async function finish(deps: Deps, job: JobProgress, lease: Lease): Promise<void> {
  const queued = job.kind === "update" || (await enqueueFills(deps, job));
  await releaseLease(deps.db, lease, queued ? null : deps.now());
}
