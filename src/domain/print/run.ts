import { limits } from "../../contract/limits.ts";
import type { ArchiveOptions } from "../../contract/resources/images/prints.ts";
import { concat } from "../../lib/concat.ts";
import { describeError, log } from "../../lib/log.ts";
import { type ZipEntry, zipDirectory, zipEntry, zippedFile } from "../../lib/zip.ts";
import type { Lease } from "../../store/jobs/lease.ts";
import {
  deletePrintPart,
  newPrintKey,
  readPrintedCodes,
  readPrintIndex,
  writePrintPart,
} from "../../store/prints/files.ts";
import { failPrintJobs, type PrintJobRow } from "../../store/prints/jobs.ts";
import { completePrintJob, failPrintJob, findNextPrintJob, recordProgress } from "../../store/prints/run.ts";
import type { PrintPart } from "../../store/schema/prints.ts";
import { findPlan } from "../../store/workspaces/workspaces.ts";
import { serviceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { requireFound, ServiceError, workspaceDeleted } from "../errors.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { keepLease, runHeld } from "../jobs/run.ts";
import { printFiles } from "./files.ts";
import { printJobs } from "./kind.ts";
import { drawSlice } from "./slices.ts";
import { hasImageColumn, tableName, tableOf } from "./table.ts";

/**
 * Works on the workspace's oldest print job that has not ended: one slice, or its end. The next slice has its own
 * message, so that several workspaces' jobs alternate. A message that finds the job held does nothing, since its worker
 * queues the next one; if that worker has died, the sweep does.
 * @returns seconds until the job is free, while another worker has it; otherwise 0
 */
export async function runPrints(deps: Deps, workspaceId: string): Promise<number> {
  const job = await findNextPrintJob(deps.db, workspaceId);
  if (job === undefined) return 0;
  const isHeld = job.resumeAt !== null && job.resumeAt > deps.now();
  const wait = await runHeld(deps, printJobs, job, {
    next: async (lease) => {
      try {
        await (job.nextItem < job.totalItems ? makeNextSlice(deps, job, lease) : finish(deps, job, lease));
      } catch (error) {
        if (job.attempts + 1 < printJobs.maxAttempts) throw error;
        await giveUp(deps, job, lease, error);
      }
    },
    // Its workers died each time before they could record a reason.
    giveUp: (lease) => giveUp(deps, job, lease, new Error("the workers of a print job died")),
  });
  return isHeld ? wait : 0;
}

/** The contents of a part: its files, and their rows in the table. */
interface PartIndex {
  readonly entries: readonly ZipEntry[];
  readonly table: string;
}

async function makeNextSlice(deps: Deps, job: PrintJobRow, lease: Lease): Promise<void> {
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
    keep: () => keepLease(deps, printJobs, lease),
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
  if (isHeld) await enqueueJob(deps, printJobs.table, job);
  else await deletePrintPart(printFiles(deps), part.key);
}

/** Completes a file whose parts are all stored with the table and the list of its contents. */
async function finish(deps: Deps, job: PrintJobRow, lease: Lease): Promise<void> {
  const entries: ZipEntry[] = [];
  let rows = "";
  for (const { key } of job.parts) {
    const index = await readPrintIndex<PartIndex>(printFiles(deps), key);
    entries.push(...index.entries);
    rows += index.table;
  }
  const table = tableOfJob(job, rows);
  const entry = zipEntry(tableName, table);
  const time = job.createdAt;
  const bytes = concat([zippedFile(entry, table, time), zipDirectory([...entries, entry], time)]);
  const part = await writePart(deps, job, bytes, { entries: [entry], table: "" });
  const now = deps.now();
  const expiresAt = now + limits.printJob.fileHours * 60 * 60 * 1000;
  const isHeld = await completePrintJob(deps.db, lease, part, now, expiresAt);
  // Another job of the workspace may be waiting.
  if (isHeld) await enqueueJob(deps, printJobs.table, job);
  else await deletePrintPart(printFiles(deps), part.key);
}

function tableOfJob({ kind, options }: PrintJobRow, rows: string): Uint8Array {
  if (kind === "labels") return tableOf(rows, "note");
  const archive = options as Partial<ArchiveOptions>;
  return tableOf(rows, hasImageColumn(archive) ? "@image" : undefined, archive.encoding);
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

/** Ends a job as failed, and lets the next one run. */
async function giveUp(deps: Deps, job: PrintJobRow, lease: Lease, error: unknown): Promise<void> {
  log("error", "print job failed", { jobId: job.id, error: describeError(error) });
  await failPrintJob(deps.db, lease, reasonOf(deps, error), deps.now());
  await enqueueJob(deps, printJobs.table, job);
}

/** Returns the reason for a failure, worded for the job's owner. */
const reasonOf = ({ files }: Deps, error: unknown): string => {
  if (files === undefined) return "File storage (R2) isn't set up here any more, so the job couldn't finish.";
  return error instanceof ServiceError
    ? "The images Worker was unavailable for too long, so the job couldn't finish. Start it again later."
    : "Something went wrong on our side, so the job couldn't finish. Start it again.";
};
