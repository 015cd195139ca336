import { type BulkJob, type BulkJobWithItems, downloadHeader } from "../contract/bulk.ts";
import { limits } from "../contract/limits.ts";
import type { BulkChunk } from "../contract/messages.ts";
import type { Deps } from "../deps.ts";
import { csvRow } from "../lib/csv.ts";
import { newId } from "../lib/ids.ts";
import { describeError, log } from "../lib/log.ts";
import { slicesBySize } from "../lib/slices.ts";
import * as store from "../store/bulk.ts";
import { ownFolders } from "../store/folders.ts";
import { presentQr, type QrRow } from "../store/qr.ts";
import { findPlan } from "../store/workspaces.ts";
import type { BulkRow } from "./bulk-rows.ts";
import { type Caller, type Owner, planOf } from "./caller.ts";
import { notFound, ServiceError } from "./errors.ts";
import { answerOnce, type Idempotency, keptAnswer } from "./idempotency.ts";
import { acceptData, codesFull, createdEvent, newRow, retryTakenHash } from "./new-qr.ts";

/**
 * Stages a job: every row is written down, those that can't be created with their error, and the rest is left
 * to the queue.
 * @throws plan_limit (403) for more rows than the plan's batch size
 */
export async function createBulkJob(
  deps: Deps,
  caller: Caller,
  rows: readonly BulkRow[],
  idempotency?: Idempotency,
): Promise<BulkJob> {
  return answerOnce(deps, caller.workspaceId, idempotency, () => stageJob(deps, caller, rows, idempotency));
}

async function stageJob(
  deps: Deps,
  caller: Caller,
  rows: readonly BulkRow[],
  idempotency?: Idempotency,
): Promise<BulkJob> {
  const plan = planOf(caller);
  if (rows.length > plan.bulkRows) {
    throw new ServiceError(
      "plan_limit",
      `Your plan ${plan.title} allows ${plan.bulkRows} rows a bulk job; split the file or upgrade`,
      { status: 403 },
    );
  }

  const items = await checkRows(deps, caller, rows);
  const now = deps.now();
  const job: BulkJob = {
    jobId: newId(now),
    status: "queued",
    totalItems: items.length,
    successCount: 0,
    failureCount: items.filter((item) => item.error !== null).length,
    createdAt: new Date(now).toISOString(),
    completedAt: null,
  };
  await store.insertJob(deps.db, caller.workspaceId, job, items, now, keptAnswer(now, idempotency, job));
  await queueChunks(deps, caller.workspaceId, job.jobId, job.totalItems);
  return job;
}

/** Rows with what only the workspace can tell: plan, folders, own hosts. */
async function checkRows(deps: Deps, caller: Caller, rows: readonly BulkRow[]): Promise<store.StagedItem[]> {
  const wanted = rows.flatMap((row) => ("input" in row && row.input.folderId ? [row.input.folderId] : []));
  const folders = await ownFolders(deps.db, caller.workspaceId, [...new Set(wanted)]);
  return rows.map((row) => {
    if ("error" in row) return { input: null, error: row.error };
    try {
      const data = acceptData(deps, caller, row.input);
      const { folderId } = row.input;
      if (folderId && !folders.has(folderId)) {
        return { input: null, error: "folderId: is not a folder of this workspace" };
      }
      return { input: { ...row.input, data }, error: null };
    } catch (error) {
      if (error instanceof ServiceError)
        return { input: null, error: error.message.replace(/^data\.url/, "url") };
      throw error;
    }
  });
}

async function queueChunks(deps: Deps, workspaceId: string, jobId: string, rows: number): Promise<void> {
  const chunks: BulkChunk[] = [];
  for (let from = 0; from < rows; from += limits.bulk.chunk) chunks.push({ workspaceId, jobId, from });
  try {
    await deps.bulkQueue.sendBatch(chunks.map((body) => ({ body })));
  } catch (error) {
    log("error", "bulk job not queued; the sweep will find it", { jobId, error: describeError(error) });
  }
}

/** Creates what is pending of a chunk. One that comes twice, or at the same time twice, creates nothing twice. */
export async function runChunk(deps: Deps, { workspaceId, jobId, from }: BulkChunk): Promise<void> {
  const size = limits.bulk.chunk;
  const pending = await store.pendingItems(deps.db, workspaceId, jobId, from, size);
  const plan = await findPlan(deps.db, workspaceId);
  if (plan === undefined) return log("error", "bulk job of no workspace", { workspaceId, jobId });
  const job = { workspaceId, plan, jobId };
  // A chunk that comes again with nothing left to do still ends the job, should that have been all that was left.
  if (pending.length === 0) return settle(deps, job, from, size, []);
  const jsonSize = ({ input }: store.PendingItem) => JSON.stringify(input).length + rowOverhead;
  for (const rows of slicesBySize(pending, store.maxParameter, jsonSize)) {
    const first = rows[0]?.rowIndex ?? from;
    await settle(deps, job, first, (rows.at(-1)?.rowIndex ?? first) - first + 1, rows);
  }
}

/** Characters that a row's JSON has beyond its input: ids, times, nulls. */
const rowOverhead = 500;

/** Creates rows with their events, settles their items and counts them, in one transaction. */
async function settle(
  deps: Deps,
  job: Owner & { readonly jobId: string },
  from: number,
  size: number,
  rows: readonly store.PendingItem[],
): Promise<void> {
  await retryTakenHash(() => {
    const now = deps.now();
    const { codes, refused } = prepareCodes(deps, job, rows);
    return store.settleChunk(deps.db, {
      workspaceId: job.workspaceId,
      jobId: job.jobId,
      from,
      size,
      now,
      completedEventId: newId(now),
      cap: planOf(job).liveCodes,
      pastCap: codesFull(job).message,
      refused,
      codes,
      events: codes.map((row) => createdEvent(presentQr(row, deps.scanOrigin), now)),
    });
  });
}

/** What was possible when it was staged may not be any more, as after a change of plan. */
function prepareCodes(deps: Deps, owner: Owner, pending: readonly store.PendingItem[]) {
  const codes: (QrRow & { rowIndex: number })[] = [];
  const refused: { rowIndex: number; error: string }[] = [];
  for (const { rowIndex, input } of pending) {
    try {
      codes.push({ ...newRow(deps, owner, input), rowIndex });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refused.push({ rowIndex, error: error.message });
    }
  }
  return { codes, refused };
}

/** A job with all its items. @throws not_found */
export async function getBulkJob(deps: Deps, caller: Caller, jobId: string): Promise<BulkJobWithItems> {
  const job = await requireJob(deps, caller, jobId);
  return { ...job, items: await store.listItems(deps.db, jobId, -1, limits.bulk.rows) };
}

/** The job's results as CSV, in input order, page by page; before its end with what there is. @throws not_found */
export async function downloadBulkJob(
  deps: Deps,
  caller: Caller,
  jobId: string,
): Promise<AsyncIterable<string>> {
  await requireJob(deps, caller, jobId);
  return downloadLines(deps, jobId);
}

async function* downloadLines(deps: Deps, jobId: string): AsyncGenerator<string> {
  yield csvRow(downloadHeader);
  for (let last = -1; ; ) {
    const items = await store.listItems(deps.db, jobId, last, limits.streamPage);
    yield items
      .map((item) => {
        const scanUrl = item.createdQrHash && `${deps.scanOrigin}/${item.createdQrHash}`;
        return csvRow([item.rowIndex + 1, item.status, item.createdQrId, scanUrl, item.error]);
      })
      .join("");
    if (items.length < limits.streamPage) return;
    last = items.at(-1)?.rowIndex ?? last;
  }
}

async function requireJob(deps: Deps, caller: Caller, jobId: string): Promise<BulkJob> {
  const job = await store.findJob(deps.db, caller.workspaceId, jobId);
  if (job === undefined) throw notFound("Bulk job");
  return job;
}

/** Queues again what is left of jobs that have not moved for ten minutes. */
export async function resumeStuckJobs(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const job of await store.takeStuckJobs(deps.db, now - limits.bulkStuckMilliseconds, now)) {
    log("warn", "bulk job taken up again", { jobId: job.id });
    await queueChunks(deps, job.workspaceId, job.id, job.totalItems);
  }
}
