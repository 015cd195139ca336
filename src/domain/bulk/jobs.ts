import { limits } from "../../contract/limits.ts";
import {
  type BulkJob,
  type BulkJobList,
  type BulkJobWithItems,
  type BulkListQuery,
  downloadHeader,
} from "../../contract/resources/codes/bulk.ts";
import type { BulkItemSelection, BulkJobKind } from "../../contract/resources/enums.ts";
import { workUnits } from "../../contract/work-units.ts";
import { csvRow } from "../../lib/text/csv.ts";
import { newId } from "../../lib/text/ids.ts";
import { utf8Length } from "../../lib/text/utf8.ts";
import * as store from "../../store/bulk/jobs.ts";
import type { StagedCode, StagedFailure } from "../../store/bulk/staging.ts";
import { scanUrlOf } from "../../store/codes/columns.ts";
import type { JobChange, JobSource } from "../../store/schema/bulk.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { invalid, requireFound, ServiceError } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { type Idempotency, idempotencyRecord, runOnce } from "../idempotency.ts";
import { parseCursor, streamPageSize, toPage } from "../paging.ts";
import { rowChanges } from "./changes/prepare-changes.ts";
import { areItemsExpired, itemsExpireAt } from "./expiry.ts";
import type { BulkRow, RowCells, RowFailure } from "./rows/row.ts";
import { stageRows } from "./rows/stage-rows.ts";
import { stageUpserts } from "./rows/upserts.ts";
import { startJob } from "./start.ts";

export type { JobChange, JobSource };

interface CreationOptions {
  /** Whether at least one row must be valid. */
  readonly requireValid?: boolean;
  /** The table that the rows were imported from. */
  readonly source?: JobSource;
  /** See StagedJob. */
  readonly proposedBy?: string;
  /** Whether a few codes are to be created before this returns. */
  readonly atOnce?: boolean;
}

/**
 * Stores a job and queues it. Invalid rows are stored with their error; the queue's consumer creates the codes of the
 * others.
 * @throws forbidden in a suspended workspace; rate_limited for rows that may change codes; invalid_input if a row must be
 * valid and none is; plan_limit (403) if the workspace has no space for the job
 */
export async function createBulkJob(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly BulkRow[],
  idempotency?: Idempotency,
  options: CreationOptions = {},
): Promise<BulkJob> {
  requirePermission(context, "codes.write");
  return runOnce(deps, context.workspaceId, idempotency, async () => {
    await requireNotSuspended(deps, context);
    if (rows.some(({ change: upsert }) => upsert !== undefined)) {
      await takeHeavyWork(deps, context.workspaceId, workUnits.change(rows.length));
    }
    const staged = await stageUpserts(deps, context, rows);
    const items = staged.map((item) => ("problems" in item ? stagedFailure(item) : item));
    const failures = items.filter((item) => "error" in item).length;
    const change = items.some((item) => "qrId" in item) ? rowChanges : null;
    if (options.requireValid === true && failures === items.length) throw noValidRow();
    const job = newJob(deps, "create", items.length, failures);
    const record = idempotencyRecord(deps.now(), idempotency, job);
    const { source = null, proposedBy, atOnce = false } = options;
    return startJob(deps, context, job, { items, change, source, proposedBy }, { record, atOnce });
  });
}

/** The error of a table without a valid row. */
export const noValidRow = () => new ServiceError("invalid_input", "No row is valid. Fix at least one.");

/** A row with long cells keeps none of them: with only some, a retry would create a different code. */
export const stagedFailure = ({ error, line, cells }: RowFailure): StagedFailure => ({
  error,
  ...(line !== undefined && { line }),
  ...(cells && isShort(cells) && { cells }),
});

const isShort = (cells: RowCells): boolean => utf8Length(JSON.stringify({ cells })) <= limits.failedRow;

/**
 * Returns the code that a job would create from each row now, or why it wouldn't. Stores nothing.
 * @throws forbidden in a suspended workspace
 */
export async function checkRows(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly BulkRow[],
): Promise<(StagedCode | RowFailure)[]> {
  requirePermission(context, "codes.write");
  await requireNotSuspended(deps, context);
  return stageRows(deps, context, rows);
}

/** Returns a new job. @param failures the number of items that have already failed */
export function newJob(deps: Deps, kind: BulkJobKind, totalItems: number, failures: number): BulkJob {
  const now = deps.now();
  return {
    jobId: newId(now),
    kind,
    status: "queued",
    totalItems,
    successCount: 0,
    failureCount: failures,
    createdAt: new Date(now).toISOString(),
    completedAt: null,
    error: null,
  };
}

/** Returns a page of the workspace's bulk jobs, newest first. @throws invalid_input for a cursor of another list */
export async function listBulkJobs(
  deps: Deps,
  context: WorkspaceContext,
  { cursor, limit }: BulkListQuery,
): Promise<BulkJobList> {
  const filters = "bulk jobs";
  const found = await store.listJobs(deps.db, context.workspaceId, limit + 1, parseCursor(cursor, filters));
  const { items, nextCursor } = toPage(
    found.map(({ job }) => ({ id: job.jobId, job })),
    limit,
    filters,
  );
  return { items: items.map(({ job }) => job), nextCursor };
}

/**
 * Returns a job with its first 10,000 items of a selection. Items are deleted 30 days after completion.
 * @throws not_found
 */
export async function getBulkJob(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
  selection: BulkItemSelection,
): Promise<BulkJobWithItems> {
  const job = await requireJob(deps, context, jobId);
  const status = selection === "failed" ? selection : undefined;
  const isExpired = areItemsExpired(job, deps.now());
  const items =
    selection === "none" || isExpired
      ? []
      : await store.listItems(deps.db, context.workspaceId, jobId, -1, limits.bulk.rows, status);
  const { scanOrigin } = deps.settings;
  return {
    ...job,
    // Counted only once it is complete: clients poll until then.
    outcome:
      job.kind === "create" && job.status === "completed" && !isExpired
        ? await store.countOutcome(deps.db, context.workspaceId, jobId)
        : null,
    itemsExpireAt: itemsExpireAt(job),
    items: items.map(({ activeDomain, ...item }) => ({
      ...item,
      scanUrl: linkOf({ ...item, activeDomain }, scanOrigin),
    })),
  };
}

const linkOf = (
  { createdQrHash, qrHash, activeDomain }: store.StoredItem,
  scanOrigin: string,
): string | null => {
  const hash = createdQrHash ?? qrHash;
  return hash && scanUrlOf({ hash, activeDomain }, scanOrigin);
};

/**
 * Streams a job's results so far as CSV, in input order, page by page.
 * @throws not_found, also once they are deleted; rate_limited for too many exports
 */
export async function downloadBulkJob(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<AsyncIterable<Uint8Array>> {
  const job = await requireJob(deps, context, jobId);
  if (areItemsExpired(job, deps.now())) throw itemsDeleted();
  return leaseExport(deps, context, downloadLines(deps, context, job));
}

async function* downloadLines(
  deps: Deps,
  context: WorkspaceContext,
  { jobId, kind }: BulkJob,
): AsyncGenerator<string> {
  const hasTimes = kind === "update";
  yield csvRow([...downloadHeader, ...(hasTimes ? ["updated_at"] : [])]);
  let items: store.StoredItem[];
  let after = -1;
  do {
    items = await store.listItems(deps.db, context.workspaceId, jobId, after, streamPageSize);
    yield items
      .map((item) => {
        const scanUrl = linkOf(item, deps.settings.scanOrigin);
        const cells = [item.rowIndex + 1, item.status, item.createdQrId ?? item.qrId, scanUrl, item.error];
        return csvRow([...cells, ...(hasTimes ? [item.updatedAt] : [])]);
      })
      .join("");
    after = items.at(-1)?.rowIndex ?? after;
  } while (items.length === streamPageSize);
}

/** @throws not_found, also once its items are deleted; invalid_input if the job is not completed */
export async function requireFinishedJob(
  deps: Deps,
  context: WorkspaceContext,
  jobId: string,
): Promise<void> {
  const job = await requireJob(deps, context, jobId);
  if (areItemsExpired(job, deps.now())) throw itemsDeleted();
  if (job.status !== "completed") throw invalid("jobId", "must be that of a completed bulk job");
}

const itemsDeleted = () =>
  new ServiceError(
    "not_found",
    `The results of this bulk job were deleted ${limits.bulkItemDays} days after it was completed.`,
  );

async function requireJob(deps: Deps, context: WorkspaceContext, jobId: string): Promise<BulkJob> {
  return requireFound(await store.findJob(deps.db, context.workspaceId, jobId), "Bulk job");
}
