import type { BulkJob } from "../../contract/resources/codes/bulk.ts";
import type { QrUpdateInput } from "../../contract/resources/codes/qr.ts";
import { chunksBySize } from "../../lib/chunks.ts";
import type { Actor, HistoryEntry } from "../../protocol/history.ts";
import type { GivenValues } from "../codes/columns.ts";
import { historyStatement } from "../history.ts";
import { insertRecord, type NewRecord } from "../idempotency.ts";
import type { Lease } from "../jobs/lease.ts";
import type { JobChange, JobSource } from "../schema/bulk.ts";

/** A row ready to be stored: the code to create or change, or the reason it fails. */
export type StagedItem = StagedCode | StagedChange | StagedFailure;

/** A row that fails. */
export interface StagedFailure {
  readonly error: string;
  /** The line of the CSV file where it begins. */
  readonly line?: number;
  /** The cells of a table's row, by column. Kept so that people can correct the row. */
  readonly cells?: Readonly<Record<string, string>>;
}

/** A code to change. */
export interface StagedChange extends Partial<RowChange> {
  readonly qrId: string;
}

/** A change of one code, which a row gives. */
export interface RowChange {
  readonly change: QrUpdateInput;
  /** The code must not have changed since, epoch milliseconds. */
  readonly since?: number;
  /** The code must have this version. */
  readonly version?: number;
  /** The line of the CSV file where the row begins. */
  readonly line?: number;
  /** The cells of a table's row, by column, in case it fails. */
  readonly cells?: Readonly<Record<string, string>>;
}

/** A new code. */
export type StagedCode = GivenValues & {
  /** Whether the short name was chosen and can't be replaced with another. */
  readonly chosenShortName?: true;
  /** The line of the CSV file where its row begins. */
  readonly line?: number;
};

/** A job's properties besides its items. */
export interface JobPlan {
  /** The rows at which its slices begin. */
  readonly slices: readonly number[];
  /** Of a job of kind `update`. */
  readonly change: JobChange | null;
  readonly source: JobSource | null;
  readonly actor: Actor;
  /** Bytes that the job and all of its items take up. */
  readonly bytes: number;
  /** Bytes that all jobs of the workspace together may take up. */
  readonly cap: number;
  /** Until when the job is held, epoch milliseconds. */
  readonly until: number;
}

/**
 * Stores a job without its items, and reserves space for them. `finishStaging` makes it visible.
 * @returns false if the workspace has no space for it
 */
export async function insertJob(
  db: D1Database,
  workspaceId: string,
  job: BulkJob,
  { slices, change, source, actor, bytes, cap, until }: JobPlan,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `INSERT INTO bulk_jobs (id, workspace_id, kind, change, status, total_items, success_count, failure_count,
         created_at, slices, resume_at, stored_bytes, source, actor)
       SELECT ?1, w.id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?14, ?15 FROM workspaces w
       WHERE w.id = ?2 AND w.job_bytes + ?12 <= ?13 AND w.stored_bytes + w.job_bytes + ?12 <= w.storage_limit`,
    )
    .bind(
      ...[job.jobId, workspaceId, job.kind, change && JSON.stringify(change), job.status],
      ...[job.totalItems, job.successCount, job.failureCount, Date.parse(job.createdAt)],
      ...[JSON.stringify(slices), until, bytes, cap, source && JSON.stringify(source)],
      JSON.stringify(actor),
    )
    .run();
  return meta.changes > 0;
}

/** Splits items into portions that one statement can store. @param items as JSON */
export const portionsOf = (items: readonly string[]): Iterable<string[]> =>
  chunksBySize(items, maxPortionLength, (json) => Math.max(json.length, minItemLength));

/**
 * In characters. A character can be three bytes, and D1 allows 2 MB. A portion blocks other writers for a few
 * milliseconds.
 */
const maxPortionLength = 500_000;

/** A shorter item counts as this many characters, which limits a portion to 2,500 rows. */
const minItemLength = 200;

/**
 * Stores a portion of a job's items, beginning at row `from`, and renews the lease.
 * @returns whether the lease was still held; if not, nothing was stored
 */
export async function stageItems(
  db: D1Database,
  lease: Lease,
  from: number,
  portion: readonly string[],
  until: number,
): Promise<boolean> {
  const [, postponed] = await db.batch([
    db
      .prepare(
        `INSERT INTO bulk_items (job_id, row_index, status, input, error, qr_id)
         SELECT j.id, ?3 + key, iif(value->>'error' IS NULL, 'pending', 'failed'),
           CASE WHEN value->>'error' IS NOT NULL THEN nullif(json_remove(value, '$.error'), '{}')
             WHEN j.kind = 'create' OR value->'change' IS NOT NULL OR value->'version' IS NOT NULL
               THEN json_remove(value, '$.qrId') END,
           value->>'error', value->>'qrId'
         FROM bulk_jobs j CROSS JOIN json_each(?4) WHERE j.id = ?1 AND j.resume_at = ?2`,
      )
      .bind(lease.jobId, lease.until, from, `[${portion.join(",")}]`),
    db
      .prepare("UPDATE bulk_jobs SET resume_at = ?3 WHERE id = ?1 AND resume_at = ?2")
      .bind(lease.jobId, lease.until, until),
  ]);
  const isHeld = postponed?.meta.changes === 1;
  if (isHeld) lease.until = until;
  return isHeld;
}

/**
 * Makes a job visible and ready to run, and stores the response's record.
 * @returns whether the lease was still held; if not, nothing was stored
 * @throws if another request with the Idempotency-Key came first (see isUniqueViolation)
 */
export async function finishStaging(
  db: D1Database,
  workspaceId: string,
  lease: Lease,
  now: number,
  entry: HistoryEntry,
  record?: NewRecord,
): Promise<boolean> {
  const [staged] = await db.batch([
    db
      .prepare("UPDATE bulk_jobs SET staged_at = ?3, resume_at = ?3 WHERE id = ?1 AND resume_at = ?2")
      .bind(lease.jobId, lease.until, now),
    historyStatement(db, workspaceId, entry),
    ...(record === undefined ? [] : insertRecord(db, workspaceId, { ...record, jobId: lease.jobId })),
  ]);
  return staged?.meta.changes === 1;
}

/** Returns jobs whose request died before all items were stored, for the sweep, which then holds them until `until`. */
export async function takeAbandonedJobs(
  db: D1Database,
  now: number,
  until: number,
): Promise<{ id: string; totalItems: number }[]> {
  const { results } = await db
    .prepare(
      `UPDATE bulk_jobs SET resume_at = ?2
       WHERE id IN (SELECT id FROM bulk_jobs WHERE resume_at < ?1 AND staged_at IS NULL LIMIT 10)
       RETURNING id, total_items AS totalItems`,
    )
    .bind(now, until)
    .all<{ id: string; totalItems: number }>();
  return results;
}

/** How many rows one statement deletes. */
const deletedRows = 1000;

/**
 * Deletes a job that was never completely staged. The items go first, so that the next sweep can resume an interrupted
 * deletion.
 */
export async function deleteAbandonedJob(
  db: D1Database,
  { id, totalItems }: { id: string; totalItems: number },
): Promise<void> {
  for (let from = 0; from < totalItems; from += deletedRows) {
    await db
      .prepare("DELETE FROM bulk_items WHERE job_id = ?1 AND row_index >= ?2 AND row_index < ?2 + ?3")
      .bind(id, from, deletedRows)
      .run();
  }
  await db.prepare("DELETE FROM bulk_jobs WHERE id = ? AND staged_at IS NULL").bind(id).run();
}
