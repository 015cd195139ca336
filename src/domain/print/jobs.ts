import { limits } from "../../contract/limits.ts";
import type { PrintJobKind } from "../../contract/resources/enums.ts";
import type {
  ArchiveOptions,
  CodeSelection,
  PrintJob,
  PrintOptions,
} from "../../contract/resources/images/prints.ts";
import { describeError, log } from "../../lib/log.ts";
import { labelsOn } from "../../lib/print/sheets.ts";
import { newId } from "../../lib/text/ids.ts";
import type { NamedCode } from "../../store/bulk/selection.ts";
import { isPrintPart, openPrintPart, type PrintedCode, writePrintedCodes } from "../../store/prints/files.ts";
import * as store from "../../store/prints/jobs.ts";
import { findNextPrintJob } from "../../store/prints/run.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { mayChangeCodes } from "../context/permissions.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound, ServiceError } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import { type Idempotency, idempotencyRecord, runOnce } from "../idempotency.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { FileNames } from "./file-names.ts";
import { printFiles } from "./files.ts";
import { printJobs } from "./kind.ts";
import { captionSizeOn, requireFewLabels, requirePdf, sheetOf } from "./labels.ts";
import { stagingSeconds } from "./pace.ts";
import { removePrint } from "./removal.ts";
import { selectNames } from "./selection.ts";

/** @throws not_found; invalid_input; rate_limited with too many jobs or files; forbidden in a suspended workspace; internal (503) where files can't be stored */
export const createImageJob = (
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  options: ArchiveOptions,
  idempotency?: Idempotency,
): Promise<PrintJob> =>
  createJob(deps, context, { kind: "images", selection, options, idempotency }, (codes) => {
    if (options.format === "pdf") requirePdf(deps);
    const names = new FileNames();
    return codes.map((code) => printedCode(code, `${names.nameOf(code)}.${options.format}`));
  });

/** @throws as createImageJob, and for a sheet that can't be, or has too many labels */
export async function createLabelJob(
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  options: PrintOptions,
  idempotency?: Idempotency,
): Promise<PrintJob> {
  const sheet = sheetOf(options);
  // Earlier versions, which may run a job during a release, expect the size of its captions.
  const settled = { ...options, captionSize: captionSizeOn(sheet, options) };
  return createJob(deps, context, { kind: "labels", selection, options: settled, idempotency }, (codes) => {
    const { labels, labelsOnSheet } = limits.printJob;
    requirePdf(deps);
    requireFewLabels(codes.length, options, labels);
    const onSheet = labelsOn(sheet);
    if (onSheet > labelsOnSheet) {
      throw invalid(
        "sheet",
        `has ${onSheet} labels, but a job can print at most ${labelsOnSheet} on a sheet`,
      );
    }
    return codes.map((code) => printedCode(code, ""));
  });
}

const printedCode = ({ id, hash, name }: NamedCode, file: string): PrintedCode => [id, hash, name, file];

interface Asked {
  readonly kind: PrintJobKind;
  readonly selection: CodeSelection;
  readonly options: ArchiveOptions | PrintOptions;
  readonly idempotency: Idempotency | undefined;
}

/** Stores a job and queues it. Its codes are fixed now, and the names of their files by `prepare`. */
async function createJob(
  deps: Deps,
  context: WorkspaceContext,
  { kind, selection, options, idempotency }: Asked,
  prepare: (codes: readonly NamedCode[]) => readonly PrintedCode[],
): Promise<PrintJob> {
  const { workspaceId } = context;
  return runOnce(deps, workspaceId, idempotency, async () => {
    await requireNotSuspended(deps, context);
    const files = printFiles(deps);
    const printed = prepare(await selectNames(deps, context, selection));
    const now = deps.now();
    const job = {
      ...{ id: newId(now), workspaceId, kind, options, totalItems: printed.length, createdAt: now },
      createdBy: context.actor.id,
    };
    const until = now + stagingSeconds * 1000;
    if (!(await store.insertPrintJob(deps.db, workspaceId, job, until))) {
      throw await tooManyJobs(deps, workspaceId, now);
    }
    try {
      await writePrintedCodes(files, job, printed);
    } catch (error) {
      log("error", "print job not stored", { jobId: job.id, error: describeError(error) });
      throw filesUnavailable("The print job can't be stored right now.");
    }
    const created = newPrintJob(job);
    const record = idempotencyRecord(now, idempotency, created);
    if (!(await store.stagePrintJob(deps.db, workspaceId, job.id, deps.now(), record))) {
      throw new Error(`print job ${job.id} was removed while it was stored`);
    }
    // The end of a job queues the one that waits for it.
    const next = await findNextPrintJob(deps.db, workspaceId);
    if (next?.id === job.id) await enqueueJob(deps, printJobs.table, job);
    return created;
  });
}

const newPrintJob = ({
  id,
  kind,
  totalItems,
  createdAt,
}: Pick<store.PrintJobRow, "id" | "kind" | "totalItems" | "createdAt">): PrintJob => ({
  ...{ jobId: id, kind, status: "queued", totalItems, successCount: 0, failureCount: 0, bytes: 0 },
  ...{ createdAt: new Date(createdAt).toISOString(), completedAt: null, fileExpiresAt: null, error: null },
});

const filesUnavailable = (problem: string) =>
  new ServiceError("internal", `${problem} Try again in a few seconds.`, {
    status: 503,
    headers: { "retry-after": "5" },
  });

async function tooManyJobs(deps: Deps, workspaceId: string, now: number): Promise<ServiceError> {
  const { unfinished, perDay, keptBytes } = limits.printJob;
  const found = await store.findPrintUsage(deps.db, workspaceId, now);
  const refuse = (message: string, seconds: number) =>
    new ServiceError("rate_limited", message, { headers: { "retry-after": String(seconds) } });
  if (found.unfinished >= unfinished) {
    return refuse(`A workspace can have at most ${unfinished} print jobs queued. Wait until one ends.`, 60);
  }
  if (found.bytes >= keptBytes) {
    return refuse(
      `The files of your print jobs take up ${Math.floor(keptBytes / 1024 ** 3)} GiB. Remove some, or wait until the oldest ones are removed, a day after their completion.`,
      3600,
    );
  }
  return refuse(`A workspace can start at most ${perDay} print jobs a day.`, 3600);
}

/** A job with the options it was started with. */
export interface PrintWork {
  readonly job: PrintJob;
  readonly options: ArchiveOptions | PrintOptions;
  /** Whether the caller may cancel it or remove its file. */
  readonly mayDelete: boolean;
}

/** @throws not_found */
export async function getPrintWork(deps: Deps, context: WorkspaceContext, jobId: string): Promise<PrintWork> {
  const row = await requireJob(deps, context, jobId);
  return { job: store.presentPrintJob(row), options: row.options, mayDelete: mayDelete(context, row) };
}

/** Who may only read codes can still end what they started themselves. */
const mayDelete = (context: WorkspaceContext, { createdBy }: store.PrintJobRow): boolean =>
  mayChangeCodes(context) || (createdBy !== null && createdBy === context.actor.id);

/** @throws not_found */
export const getPrintJob = async (deps: Deps, context: WorkspaceContext, jobId: string): Promise<PrintJob> =>
  store.presentPrintJob(await requireJob(deps, context, jobId));

async function requireJob(deps: Deps, { workspaceId }: WorkspaceContext, jobId: string) {
  return requireFound(await store.findPrintJob(deps.db, workspaceId, jobId), "Print job");
}

/** A file that is sent as it is read. */
export interface PrintedFile {
  readonly filename: string;
  readonly bytes: number;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The file of a completed job.
 * @throws not_found, also while there is no file, and once it is removed; rate_limited for too many exports; internal (503)
 *   while files can't be read
 */
export async function downloadPrint(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<PrintedFile> {
  const job = await requireJob(deps, context, jobId);
  const { fileHours } = limits.printJob;
  if (job.status !== "completed") throw noFile("This print job has no file, or not yet.");
  if (job.expiresAt === null || job.expiresAt <= deps.now()) {
    throw noFile(`The file of this print job was removed, at most ${fileHours} hours after its completion.`);
  }
  const files = printFiles(deps);
  await requireReadable(files, job);
  const day = new Date(job.createdAt).toISOString().slice(0, 10);
  return {
    filename: `${job.kind === "labels" ? "labels" : "qr-codes"}-${day}.zip`,
    bytes: job.bytes,
    body: await leaseExport(deps, context, partsOf(files, job)),
  };
}

const noFile = (message: string) => new ServiceError("not_found", message);

/** Checks that the file can be read before the download begins. @throws internal (503) if it can't */
async function requireReadable(files: R2Bucket, { parts }: store.PrintJobRow): Promise<void> {
  const [first] = parts;
  try {
    if (first === undefined || !(await isPrintPart(files, first.key))) {
      throw new Error("a part is missing");
    }
  } catch (error) {
    log("error", "file of a print job not read", { error: describeError(error) });
    throw filesUnavailable("The file can't be read right now.");
  }
}

async function* partsOf(files: R2Bucket, { parts }: store.PrintJobRow): AsyncGenerator<Uint8Array> {
  for (const { key } of parts) {
    const body = await openPrintPart(files, key);
    if (body === null) throw new Error(`the object ${key} is missing`);
    yield* body;
  }
}

/**
 * Cancels a job that has not ended, and removes the file of one that has. @throws not_found; forbidden for another's job
 * if the caller may only read codes
 */
export async function deletePrint(deps: Deps, context: WorkspaceContext, jobId: string): Promise<void> {
  const { workspaceId } = context;
  const job = await requireJob(deps, context, jobId);
  if (!mayDelete(context, job)) {
    throw new ServiceError(
      "forbidden",
      "You can only cancel print jobs that you started, and remove their files. For those of others, a key needs the scope qr:write, and a person the role editor.",
    );
  }
  const now = deps.now();
  if (await store.cancelPrintJob(deps.db, workspaceId, jobId, now)) {
    await enqueueJob(deps, printJobs.table, job);
    return;
  }
  await store.expirePrintJob(deps.db, workspaceId, jobId, now);
  try {
    await removePrint(deps, job);
  } catch (error) {
    log("warn", "file of a print job not removed; the sweep will retry it", {
      jobId,
      error: describeError(error),
    });
  }
}
