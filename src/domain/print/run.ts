import { limits } from "../../contract/limits.ts";
import { describeError, log } from "../../lib/log.ts";
import { type ZipEntry, zipDirectory, zipEntry, zippedFile } from "../../lib/zip.ts";
import { concat } from "../../lib/concat.ts";
import type { PrintPart } from "../../store/schema/prints.ts";
import {
  deletePrintPart,
  newPrintKey,
  readPrintedCodes,
  readPrintIndex,
  writePrintPart,
} from "../../store/prints/files.ts";
import { failPrintJobs, type PrintJobRow } from "../../store/prints/jobs.ts";
import {
  acquirePrintLease,
  completePrintJob,
  failPrintJob,
  findNextPrintJob,
  listStrandedPrints,
  type PrintLease,
  recordProgress,
  releasePrintLease,
} from "../../store/prints/lease.ts";
import { findPlan } from "../../store/workspaces/workspaces.ts";
import type { Deps } from "../deps.ts";
import { requireFound, ServiceError, workspaceDeleted } from "../errors.ts";
import { serviceContext } from "../context/context.ts";
import { printTiming, retryAfter } from "./pace.ts";
import { printFiles } from "./files.ts";
import { enqueuePrints } from "./queue.ts";
import { drawSlice } from "./slices.ts";
import { tableName, tableOf } from "./table.ts";

/**
 * Works on the workspace's oldest print job that has not ended: one slice, or its end. The next slice has its own
 * message, so that several workspaces' jobs alternate. A message that finds the job held does nothing, since its worker
 * queues the next one; if that worker has died, the sweep does.
 */
export async function runPrints(deps: Deps, workspaceId: string): Promise<void> {
  const job = await findNextPrintJob(deps.db, workspaceId);
  if (job === undefined || job.resumeAt === null || job.resumeAt > deps.now()) return;
  const until = deps.now() + printTiming.leaseSeconds * 1000;
  const lease = await acquirePrintLease(deps.db, job.id, job.resumeAt, until);
  if (lease === undefined) return;
  try {
    // Its workers died each time before they could record a reason.
    if (job.attempts >= printTiming.maxAttempts) throw new Error("the workers of a print job died");
    await (job.nextItem < job.totalItems ? makeNextSlice(deps, job, lease) : finish(deps, job, lease));
  } catch (error) {
    await backOff(deps, job, lease, error);
  }
}

/** The contents of a part: its files, and their rows in the table. */
interface PartIndex {
  readonly entries: readonly ZipEntry[];
  readonly table: string;
}

async function makeNextSlice(deps: Deps, job: PrintJobRow, lease: PrintLease): Promise<void> {
  const { workspaceId } = job;
  const { plan, isBeingDeleted } = requireFound(await findPlan(deps.db, workspaceId), "Workspace");
  if (isBeingDeleted) {
    await failPrintJobs(deps.db, workspaceId, `${workspaceDeleted}.`, deps.now());
    return;
  }
  const codes = await readPrintedCodes(printFiles(deps), job);
  const { files, table, ...progress } = await drawSlice(deps, {
    context: serviceContext(workspaceId, plan),
    job,
    codes,
  });
  const entries: ZipEntry[] = [];
  const zipped: Uint8Array[] = [];
  for (const { name, content } of files) {
    const entry = zipEntry(name, content);
    entries.push(entry);
    zipped.push(zippedFile(entry, content, job.createdAt));
  }
  const part = await writePart(deps, job, concat(zipped), { entries, table });
  const isHeld = await recordProgress(deps.db, lease, { part, ...progress }, deps.now());
  if (isHeld) await enqueuePrints(deps, workspaceId);
  else await deletePrintPart(printFiles(deps), part.key);
}

/** Completes a file whose parts are all stored with the table and the list of its contents. */
async function finish(deps: Deps, job: PrintJobRow, lease: PrintLease): Promise<void> {
  const entries: ZipEntry[] = [];
  let rows = "";
  for (const { key } of job.parts) {
    const index = await readPrintIndex<PartIndex>(printFiles(deps), key);
    entries.push(...index.entries);
    rows += index.table;
  }
  const table = tableOf(rows);
  const entry = zipEntry(tableName, table);
  const time = job.createdAt;
  const bytes = concat([zippedFile(entry, table, time), zipDirectory([...entries, entry], time)]);
  const part = await writePart(deps, job, bytes, { entries: [entry], table: "" });
  const now = deps.now();
  const expiresAt = now + limits.printJob.fileHours * 60 * 60 * 1000;
  const isHeld = await completePrintJob(deps.db, lease, part, now, expiresAt);
  // Another job of the workspace may be waiting.
  if (isHeld) await enqueuePrints(deps, job.workspaceId);
  else await deletePrintPart(printFiles(deps), part.key);
}

async function writePart(
  deps: Deps,
  job: PrintJobRow,
  bytes: Uint8Array,
  index: PartIndex,
): Promise<PrintPart> {
  const key = newPrintKey(job);
  await writePrintPart(printFiles(deps), key, bytes, index);
  return { key, bytes: bytes.length };
}

/**
 * Leaves a job whose slice failed alone until its next attempt, or ends it. If that can't be stored, the lease expires.
 */
async function backOff(deps: Deps, job: PrintJobRow, lease: PrintLease, error: unknown): Promise<void> {
  const jobId = job.id;
  log("error", "slice of a print job failed", { jobId, error: describeError(error) });
  const attempts = job.attempts + 1;
  try {
    if (attempts >= printTiming.maxAttempts) {
      log("error", "print job failed", { jobId });
      await failPrintJob(deps.db, lease, reasonOf(deps, error), deps.now());
      await enqueuePrints(deps, job.workspaceId);
      return;
    }
    const seconds = retryAfter(attempts);
    await releasePrintLease(deps.db, lease, deps.now() + seconds * 1000);
    // Slightly later, because clocks differ.
    await enqueuePrints(deps, job.workspaceId, seconds + 1);
  } catch (failure) {
    log("warn", "print job not released", { jobId, error: describeError(failure) });
  }
}

/** Returns the reason for a failure, worded for the job's owner. */
const reasonOf = ({ files }: Deps, error: unknown): string => {
  if (files === undefined) return "File storage (R2) isn't set up here any more, so the job couldn't finish.";
  return error instanceof ServiceError
    ? "The images Worker was unavailable for too long, so the job couldn't finish. Start it again later."
    : "Something went wrong on our side, so the job couldn't finish. Start it again.";
};

/** How many workspaces' jobs one sweep queues. */
const workspacesPerSweep = 100;

/** Queues the next slice for workspaces whose message was lost or whose worker died. */
export async function resumeStrandedPrints(deps: Deps): Promise<void> {
  for (const workspaceId of await listStrandedPrints(deps.db, deps.now(), workspacesPerSweep)) {
    await enqueuePrints(deps, workspaceId);
  }
}
