import {
  type BulkItem,
  type BulkJob,
  type BulkJobWithItems,
  downloadHeader,
} from "../../contract/resources/bulk.ts";
import { QrType } from "../../contract/resources/enums.ts";
import { limits } from "../../contract/limits.ts";
import type { BulkChunk } from "../../protocol/messages.ts";
import type { Deps } from "../deps.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { newHash } from "../../lib/text/hash.ts";
import { newId } from "../../lib/text/ids.ts";
import { describeError, log } from "../../lib/log.ts";
import * as store from "../../store/bulk.ts";
import { processChunk, replaceTakenHashes } from "../../store/bulk-chunk.ts";
import { filterOwnedFolderIds } from "../../store/folders.ts";
import type { QrRow } from "../../store/codes.ts";
import { findPlan } from "../../store/workspaces.ts";
import type { BulkRow } from "./rows.ts";
import { type Owner, planOf } from "../identity/caller.ts";
import { findLinkedPages } from "../codes/data.ts";
import { requireFolderIn } from "../codes/folders.ts";
import { requireFound, ServiceError } from "../errors.ts";
import { runOnce, type Idempotency, idempotencyRecord } from "../idempotency.ts";
import { applyTemplate, findAppliedTemplates } from "../images/templates.ts";
import { streamPageSize } from "../paging.ts";
import {
  codeLimitError,
  newCodeFromInput,
  retryOnHashCollision,
  typeNotInPlanError,
} from "../codes/new-code.ts";

/** Rows that are processed in one transaction. */
const chunkRows = 2000;

/** The sweep queues a job again after this long without progress. */
const stuckMilliseconds = 10 * 60_000;

/**
 * Stores a job and queues it. Rows that are invalid are stored with their error; the queue's consumer creates the codes
 * of the others.
 */
export async function createBulkJob(
  deps: Deps,
  owner: Owner,
  rows: readonly BulkRow[],
  idempotency?: Idempotency,
): Promise<BulkJob> {
  return runOnce(deps, owner.workspaceId, idempotency, () => stageJob(deps, owner, rows, idempotency));
}

async function stageJob(
  deps: Deps,
  owner: Owner,
  rows: readonly BulkRow[],
  idempotency?: Idempotency,
): Promise<BulkJob> {
  const items = await stageRows(deps, owner, rows);
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
    owner.workspaceId,
    job,
    items,
    now,
    idempotencyRecord(now, idempotency, job),
  );
  await queueChunks(deps, owner.workspaceId, job.jobId, job.totalItems);
  return job;
}

/** Checks rows by the workspace's rules, and assigns ids and hashes to the codes to create. */
async function stageRows(deps: Deps, owner: Owner, rows: readonly BulkRow[]): Promise<store.StagedItem[]> {
  const folderIds = rows.flatMap((row) => ("input" in row && row.input.folderId ? [row.input.folderId] : []));
  const folders = await filterOwnedFolderIds(deps.db, owner.workspaceId, [...new Set(folderIds)]);
  const inputs = rows.flatMap((row) => ("input" in row ? [row.input] : []));
  const templates = await findAppliedTemplates(deps, owner, inputs);
  const pages = await findLinkedPages(deps, owner, inputs);
  const hashes = new Set<string>();
  const stageRow = async (row: BulkRow): Promise<store.StagedItem> => {
    if ("error" in row) return row.error;
    try {
      requireFolderIn(folders, row.input.folderId);
      const input = applyTemplate(owner, row.input, templates);
      const code = stagedCode(await newCodeFromInput(deps, owner, input, pages));
      // Two equal hashes among 10 000 are rare, but would make their chunk fail.
      while (hashes.has(code.hash)) code.hash = newHash();
      hashes.add(code.hash);
      return code;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.message.replace(/^data\.url:/, `${row.urlField}:`);
    }
  };
  const items: store.StagedItem[] = [];
  for (const row of rows) items.push(await stageRow(row));
  return items;
}

/** The columns of a new code that are stored with its item. Null is left out, since it is the default. */
function stagedCode(row: QrRow): store.StagedCode {
  const { id, hash, qrType, data, tags } = row;
  const { name, nameFolded, folderId, colorConfig, shape, templateId, advanced, logoId } = row;
  return {
    id,
    hash,
    qrType,
    data,
    tags,
    ...(name !== null && { name }),
    ...(nameFolded !== null && { nameFolded }),
    ...(folderId !== null && { folderId }),
    ...(colorConfig !== null && { colorConfig }),
    ...(shape !== null && { shape }),
    ...(templateId !== null && { templateId }),
    ...(advanced !== null && { advanced }),
    ...(logoId !== null && { logoId }),
    eventId: newId(row.createdAt),
  };
}

async function queueChunks(deps: Deps, workspaceId: string, jobId: string, rows: number): Promise<void> {
  const chunks: BulkChunk[] = [];
  for (let from = 0; from < rows; from += chunkRows) chunks.push({ workspaceId, jobId, from });
  try {
    await deps.bulkQueue.sendBatch(chunks.map((body) => ({ body })));
  } catch (error) {
    log("error", "bulk job not queued; the sweep will retry it", { jobId, error: describeError(error) });
  }
}

/** Processes a chunk's pending items. Repeating a chunk, even concurrently, creates no code twice. */
export async function runChunk(deps: Deps, { workspaceId, jobId, from }: BulkChunk): Promise<void> {
  const plan = await findPlan(deps.db, workspaceId);
  if (plan === undefined) return log("error", "bulk job of an unknown workspace", { workspaceId, jobId });
  const owner = { workspaceId, plan };
  const now = deps.now();
  const chunk = { workspaceId, jobId, from, size: chunkRows };
  await retryOnHashCollision(
    () =>
      processChunk(deps.db, chunk, {
        now,
        scanOrigin: deps.scanOrigin,
        completedEventId: newId(now),
        cap: planOf(owner).liveCodes,
        capError: codeLimitError(owner).message,
        typeErrors: typeErrors(owner),
      }),
    () => replaceTakenHashes(deps.db, chunk, newHash),
  );
}

/** The error of each type that the plan does not include: the plan may have changed since the rows were staged. */
function typeErrors(owner: Owner): Record<string, string> {
  const excluded = QrType.options.filter((type) => !planOf(owner).qrTypes.includes(type));
  return Object.fromEntries(excluded.map((type) => [type, typeNotInPlanError(owner, type).message]));
}

/** A job with all its items. @throws not_found */
export async function getBulkJob(deps: Deps, owner: Owner, jobId: string): Promise<BulkJobWithItems> {
  const job = await requireJob(deps, owner, jobId);
  return { ...job, items: await store.listItems(deps.db, owner.workspaceId, jobId, -1, limits.bulk.rows) };
}

/** The results of a job so far as CSV, in input order, page by page. @throws not_found */
export async function downloadBulkJob(
  deps: Deps,
  owner: Owner,
  jobId: string,
): Promise<AsyncIterable<string>> {
  await requireJob(deps, owner, jobId);
  return downloadLines(deps, owner, jobId);
}

async function* downloadLines(deps: Deps, owner: Owner, jobId: string): AsyncGenerator<string> {
  yield csvRow(downloadHeader);
  let items: BulkItem[];
  let after = -1;
  do {
    items = await store.listItems(deps.db, owner.workspaceId, jobId, after, streamPageSize);
    yield items
      .map((item) => {
        const scanUrl = item.createdQrHash && `${deps.scanOrigin}/${item.createdQrHash}`;
        return csvRow([item.rowIndex + 1, item.status, item.createdQrId, scanUrl, item.error]);
      })
      .join("");
    after = items.at(-1)?.rowIndex ?? after;
  } while (items.length === streamPageSize);
}

async function requireJob(deps: Deps, owner: Owner, jobId: string): Promise<BulkJob> {
  return requireFound(await store.findJob(deps.db, owner.workspaceId, jobId), "Bulk job");
}

/** Queues jobs again that have made no progress for ten minutes. */
export async function resumeStuckJobs(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const job of await store.takeStuckJobs(deps.db, now - stuckMilliseconds, now)) {
    log("warn", "bulk job without progress queued again", { jobId: job.id });
    await queueChunks(deps, job.workspaceId, job.id, job.totalItems);
  }
}
