import { type BulkJob, type BulkJobWithItems, downloadHeader } from "../../contract/resources/bulk.ts";
import { QrType } from "../../contract/resources/enums.ts";
import { limits } from "../../contract/limits.ts";
import type { BulkChunk } from "../../protocol/messages.ts";
import type { Deps } from "../deps.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { newHash } from "../../lib/text/hash.ts";
import { newId } from "../../lib/text/ids.ts";
import { describeError, log } from "../../lib/log.ts";
import * as store from "../../store/bulk.ts";
import { renewTakenHashes, settleChunk } from "../../store/bulk-chunk.ts";
import { ownFolders } from "../../store/folders.ts";
import type { QrRow } from "../../store/codes.ts";
import { findPlan } from "../../store/workspaces.ts";
import type { BulkRow } from "./rows.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { readLinkedPages } from "../codes/data.ts";
import { notFound, ServiceError } from "../errors.ts";
import { runOnce, type Idempotency, idempotencyRecord } from "../idempotency.ts";
import { applyTemplate, readTemplates } from "../images/templates.ts";
import { streamPageSize } from "../paging.ts";
import { codesFull, codeFromInput, retryTakenHash, typeLacking } from "../codes/new-code.ts";

/** Rows that are created in one transaction. */
const chunkRows = 2000;

/** A job without progress for this long is queued again by the sweep. */
const stuckMilliseconds = 10 * 60_000;

/**
 * Stages a job: every row is written down, those that can't be created with their error, and the rest is left
 * to the queue.
 * @throws plan_limit (403) for more rows than the plan's batch size
 */
export async function createBulkJob(
  deps: Deps,
  caller: Owner,
  rows: readonly BulkRow[],
  idempotency?: Idempotency,
): Promise<BulkJob> {
  return runOnce(deps, caller.workspaceId, idempotency, () => stageJob(deps, caller, rows, idempotency));
}

async function stageJob(
  deps: Deps,
  caller: Owner,
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
    failureCount: items.filter((item) => typeof item === "string").length,
    createdAt: new Date(now).toISOString(),
    completedAt: null,
  };
  await store.insertJob(
    deps.db,
    caller.workspaceId,
    job,
    items,
    now,
    idempotencyRecord(now, idempotency, job),
  );
  await queueChunks(deps, caller.workspaceId, job.jobId, job.totalItems);
  return job;
}

/** Rows as codes to be created, each with its ids and hash, as far as the workspace's rules allow. */
async function checkRows(deps: Deps, caller: Owner, rows: readonly BulkRow[]): Promise<store.StagedItem[]> {
  const wanted = rows.flatMap((row) => ("input" in row && row.input.folderId ? [row.input.folderId] : []));
  const folders = await ownFolders(deps.db, caller.workspaceId, [...new Set(wanted)]);
  const inputs = rows.flatMap((row) => ("input" in row ? [row.input] : []));
  const templates = await readTemplates(deps, caller, inputs);
  const pages = await readLinkedPages(deps, caller, inputs);
  const hashes = new Set<string>();
  const check = async (row: BulkRow): Promise<store.StagedItem> => {
    if ("error" in row) return row.error;
    const { folderId } = row.input;
    if (folderId && !folders.has(folderId)) return "folderId: is not a folder of this workspace";
    try {
      const input = applyTemplate(caller, row.input, templates);
      const code = stagedCode(await codeFromInput(deps, caller, input, pages));
      // Among 10 000 hashes two alike are rare, but they would fail their chunk.
      while (hashes.has(code.hash)) code.hash = newHash();
      hashes.add(code.hash);
      return code;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.message.replace(/^data\.url:/, `${row.urlField}:`);
    }
  };
  const items: store.StagedItem[] = [];
  for (const row of rows) items.push(await check(row));
  return items;
}

/** A new code without what all new codes share. */
function stagedCode(row: QrRow): store.StagedCode {
  const { workspaceId, version, status, createdAt, updatedAt, deletedAt, ...own } = row;
  const given = Object.entries(own).filter(([, value]) => value !== null);
  return { ...(Object.fromEntries(given) as typeof own), eventId: newId(createdAt) };
}

async function queueChunks(deps: Deps, workspaceId: string, jobId: string, rows: number): Promise<void> {
  const chunks: BulkChunk[] = [];
  for (let from = 0; from < rows; from += chunkRows) chunks.push({ workspaceId, jobId, from });
  try {
    await deps.bulkQueue.sendBatch(chunks.map((body) => ({ body })));
  } catch (error) {
    log("error", "bulk job not queued; the sweep will find it", { jobId, error: describeError(error) });
  }
}

/** Creates what is pending of a chunk. One that comes twice, or at the same time twice, creates nothing twice. */
export async function runChunk(deps: Deps, { workspaceId, jobId, from }: BulkChunk): Promise<void> {
  const plan = await findPlan(deps.db, workspaceId);
  if (plan === undefined) return log("error", "bulk job of no workspace", { workspaceId, jobId });
  const owner = { workspaceId, plan };
  const now = deps.now();
  const chunk = { workspaceId, jobId, from, size: chunkRows };
  await retryTakenHash(
    () =>
      settleChunk(deps.db, chunk, {
        now,
        scanOrigin: deps.scanOrigin,
        completedEventId: newId(now),
        cap: planOf(owner).liveCodes,
        pastCap: codesFull(owner).message,
        lacking: lackingTypes(owner),
      }),
    () => renewTakenHashes(deps.db, chunk, newHash),
  );
}

/** The error of each type the plan lacks: it may have been changed since the rows were staged. */
function lackingTypes(owner: Owner): Record<string, string> {
  const lacking = QrType.options.filter((type) => !planOf(owner).qrTypes.includes(type));
  return Object.fromEntries(lacking.map((type) => [type, typeLacking(owner, type).message]));
}

/** A job with all its items. @throws not_found */
export async function getBulkJob(deps: Deps, caller: Owner, jobId: string): Promise<BulkJobWithItems> {
  const job = await requireJob(deps, caller, jobId);
  return { ...job, items: await store.listItems(deps.db, jobId, -1, limits.bulk.rows) };
}

/** The job's results as CSV, in input order, page by page; before its end with what there is. @throws not_found */
export async function downloadBulkJob(
  deps: Deps,
  caller: Owner,
  jobId: string,
): Promise<AsyncIterable<string>> {
  await requireJob(deps, caller, jobId);
  return downloadLines(deps, jobId);
}

async function* downloadLines(deps: Deps, jobId: string): AsyncGenerator<string> {
  yield csvRow(downloadHeader);
  for (let last = -1; ; ) {
    const items = await store.listItems(deps.db, jobId, last, streamPageSize);
    yield items
      .map((item) => {
        const scanUrl = item.createdQrHash && `${deps.scanOrigin}/${item.createdQrHash}`;
        return csvRow([item.rowIndex + 1, item.status, item.createdQrId, scanUrl, item.error]);
      })
      .join("");
    if (items.length < streamPageSize) return;
    last = items.at(-1)?.rowIndex ?? last;
  }
}

async function requireJob(deps: Deps, caller: Owner, jobId: string): Promise<BulkJob> {
  const job = await store.findJob(deps.db, caller.workspaceId, jobId);
  if (job === undefined) throw notFound("Bulk job");
  return job;
}

/** Queues again what is left of jobs that have not moved for ten minutes. */
export async function resumeStuckJobs(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const job of await store.takeStuckJobs(deps.db, now - stuckMilliseconds, now)) {
    log("warn", "bulk job taken up again", { jobId: job.id });
    await queueChunks(deps, job.workspaceId, job.id, job.totalItems);
  }
}
