import type { BulkJob } from "../contract/resources/bulk.ts";
import type { BulkChange } from "../contract/resources/bulk-update.ts";
import { chunksBySize } from "../lib/chunks.ts";
import { catalogue } from "./catalogue.ts";
import type { Lease } from "./bulk-lease.ts";
import type { QrRow } from "./codes.ts";
import { insertRecord, type NewRecord } from "./idempotency.ts";
import { bulkJobs } from "./schema-bulk.ts";

/** A row that is ready to be stored: the code to create or to change, or why it fails. */
export type StagedItem = StagedCode | StagedChange | StagedFailure;

/** A row that fails. */
export interface StagedFailure {
  readonly error: string;
  /** The line of a CSV file in which it begins. */
  readonly line?: number;
  /** Its cells by column, if it is of a table: they are kept, so that the row can be corrected. */
  readonly cells?: Readonly<Record<string, string>>;
}

/** A code to change. */
export interface StagedChange {
  readonly qrId: string;
}

/** The columns of a new code that differ between codes, and the id of its event. */
export type StagedCode = Pick<QrRow, "id" | "hash" | "hashFolded" | "qrType" | "data" | "tags"> &
  Partial<QrRow> & {
    readonly eventId: string;
    /** Whether the hash was chosen, so that no other can take its place. */
    readonly chosenHash?: true;
    /** The line of a CSV file in which its row begins. */
    readonly line?: number;
  };

/**
 * Stores a job without its items, held until `until`, epoch milliseconds: `finishStaging` makes it visible.
 * @property change of a job of kind `update`
 */
export async function insertJob(
  db: D1Database,
  workspaceId: string,
  job: BulkJob,
  { slices, change, until }: { slices: number[]; change: BulkChange | null; until: number },
): Promise<void> {
  await catalogue(db)
    .insert(bulkJobs)
    .values({
      id: job.jobId,
      workspaceId,
      kind: job.kind,
      change,
      status: job.status,
      totalItems: job.totalItems,
      successCount: job.successCount,
      failureCount: job.failureCount,
      createdAt: Date.parse(job.createdAt),
      slices,
      resumeAt: until,
    });
}

/** Items as JSON in portions that one statement stores. @param items as JSON */
export const portionsOf = (items: readonly string[]): Iterable<string[]> =>
  chunksBySize(items, maxPortionLength, (json) => Math.max(json.length, minItemLength));

/** Characters; a character can be three bytes, and D1 takes 2 MB. Other writers wait for milliseconds. */
const maxPortionLength = 500_000;

/** A shorter item counts as this many characters, so that a portion has 2500 rows at most. */
const minItemLength = 200;

/**
 * Stores a portion of a job's items, beginning at row `from`, and holds the job until `until`.
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
             WHEN j.kind = 'create' THEN value END,
           value->>'error', iif(j.kind = 'update', value->>'qrId', NULL)
         FROM bulk_jobs j CROSS JOIN json_each(?4) WHERE j.id = ?1 AND j.resume_at = ?2`,
      )
      .bind(lease.jobId, lease.until, from, `[${portion.join(",")}]`),
    db
      .prepare("UPDATE bulk_jobs SET resume_at = ?3 WHERE id = ?1 AND resume_at = ?2")
      .bind(lease.jobId, lease.until, until),
  ]);
  return postponed?.meta.changes === 1;
}

/**
 * Makes a job visible and ready to run, and stores the response's record.
 * @returns whether the lease was still held; if not, nothing was stored
 * @throws when another request with the Idempotency-Key was first (see isUniqueViolation)
 */
export async function finishStaging(
  db: D1Database,
  workspaceId: string,
  lease: Lease,
  now: number,
  record?: NewRecord,
): Promise<boolean> {
  const [staged] = await db.batch([
    db
      .prepare("UPDATE bulk_jobs SET staged_at = ?3, resume_at = ?3 WHERE id = ?1 AND resume_at = ?2")
      .bind(lease.jobId, lease.until, now),
    ...(record === undefined ? [] : insertRecord(db, workspaceId, { ...record, jobId: lease.jobId })),
  ]);
  return staged?.meta.changes === 1;
}

/** Jobs whose request died before all items were stored, for the sweep, which then holds them until `until`. */
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

/** Rows deleted by one statement. */
const deletedRows = 1000;

/** Deletes a job that was never staged, items first, so that a sweep that is interrupted goes on with the next. */
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
