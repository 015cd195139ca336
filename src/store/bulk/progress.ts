import { limits } from "../../contract/limits.ts";
import { bulkJobJson } from "./jobs.ts";
import type { Lease } from "./lease.ts";

/** Rows of a job processed in one transaction: `size` rows beginning with `from`. */
export interface Slice {
  readonly workspaceId: string;
  readonly jobId: string;
  /** Its index among the job's slices. */
  readonly index: number;
  readonly from: number;
  readonly size: number;
}

/** The condition for a slice's pending items; ?1 to ?3 are its job, first row and size. */
export const pending = `i.job_id = ?1 AND i.row_index >= ?2 AND i.row_index < ?2 + ?3 AND i.status = 'pending'`;

/** Returns the values of ?1 to ?3, and ?4 for the workspace. */
export const sliceValues = ({ jobId, from, size, workspaceId }: Slice) => [jobId, from, size, workspaceId];

/** The size of an item's input in bytes. */
const inputBytes = "coalesce(length(CAST(i.input AS BLOB)), 0)";

/** The input that a failed item keeps: all of it if short, otherwise only its line in the file. */
export const keptInput = `iif(${inputBytes} <= ${limits.failedRow}, i.input,
  iif(i.input->>'line' IS NULL, NULL, json_object('line', i.input->>'line')))`;

/** The bytes freed when an item fails. */
export const unkeptBytes = `iif(${inputBytes} <= ${limits.failedRow}, 0, ${inputBytes})`;

/** Returns the bytes freed when an item is settled. @param succeeds the condition that it succeeds rather than fails */
export const freedBytes = (succeeds: string): string => `iif(${succeeds}, ${inputBytes}, ${unkeptBytes})`;

/** The result of `countSlice`. */
export interface Progress {
  readonly resumeAt: number;
}

/** A lease, and the time until which a worker keeps the job after processing a slice. */
export interface Renewal {
  readonly lease: Lease;
  readonly until: number;
}

/**
 * Returns a statement that counts a slice's pending items and the bytes they free, and moves the job to the next slice.
 * It must run before the items are marked as succeeded or failed.
 * @param renewal of the lease, if the worker continues with the job
 * @param succeeds the condition that an item `i` succeeds, and the values of its parameters from ?7 on
 * @param freed SQL for the bytes that an item frees
 */
export function countSlice(
  d1: D1Database,
  { jobId, index, from, size }: Slice,
  renewal: Renewal | null,
  succeeds: string,
  freed: string,
  ...values: unknown[]
): D1PreparedStatement {
  return d1
    .prepare(
      `WITH pending_items AS
         (SELECT count(*) AS n, coalesce(sum(${succeeds}), 0) AS succeeding, coalesce(sum(${freed}), 0) AS freed
          FROM bulk_items i WHERE ${pending})
       UPDATE bulk_jobs SET status = iif(status = 'queued', 'processing', status),
         success_count = success_count + (SELECT succeeding FROM pending_items),
         failure_count = failure_count + (SELECT n - succeeding FROM pending_items),
         stored_bytes = stored_bytes - (SELECT freed FROM pending_items),
         attempts = 0, next_slice = max(next_slice, ?4 + 1), resume_at = iif(resume_at = ?5, ?6, resume_at)
       WHERE id = ?1 RETURNING resume_at AS resumeAt`,
    )
    .bind(jobId, from, size, index, renewal?.lease.until ?? null, renewal?.until ?? null, ...values);
}

/** Returns the lease after a slice; undefined if another worker has the job. */
export const renewedLease = (
  progress: D1Result<Progress> | undefined,
  jobId: string,
  until: number,
): Lease | undefined => (progress?.results[0]?.resumeAt === until ? { jobId, until } : undefined);

/**
 * Returns statements that complete a job, with its event, if its last items have just been counted. A job that changes
 * codes is then finished; one that creates codes still has to write their routes.
 */
export function completeJob(
  d1: D1Database,
  jobId: string,
  completedEventId: string,
  now: number,
): D1PreparedStatement[] {
  return [
    // The event comes before the update, so that both see a job that has only just been completed.
    d1
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT ?2, workspace_id, 'bulk.completed',
           json_set(${bulkJobJson("j")}, '$.status', 'completed', '$.completedAt', ?3), ?4
         FROM bulk_jobs j WHERE id = ?1 AND ${isJustCompleted}
           AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = workspace_id AND w.has_webhooks)`,
      )
      .bind(jobId, completedEventId, new Date(now).toISOString(), now),
    d1
      .prepare(
        `UPDATE bulk_jobs SET status = 'completed', completed_at = ?2,
           resume_at = iif(kind = 'update', NULL, resume_at) WHERE id = ?1 AND ${isJustCompleted}`,
      )
      .bind(jobId, now),
  ];
}

const isJustCompleted = "completed_at IS NULL AND success_count + failure_count = total_items";

/** The number of succeeded items of a failed job, including those whose code was changed before they were marked. */
const finalSuccesses = `(j.success_count + (SELECT count(*) FROM bulk_items i
  WHERE i.job_id = j.id AND i.status = 'pending' AND i.changed))`;

/**
 * Ends a job that can't be completed, in one transaction. Its pending items fail; codes already created or changed
 * stay.
 * @param errors of the job and of the items
 * @param now epoch milliseconds
 */
export async function failJob(
  d1: D1Database,
  jobId: string,
  errors: { readonly job: string; readonly item: string },
  completedEventId: string,
  now: number,
): Promise<void> {
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT ?2, workspace_id, 'bulk.completed',
           json_set(${bulkJobJson("j")}, '$.status', 'failed', '$.successCount', ${finalSuccesses},
             '$.failureCount', total_items - ${finalSuccesses}, '$.completedAt', ?3, '$.error', ?5), ?4
         FROM bulk_jobs j WHERE id = ?1 AND completed_at IS NULL
           AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = workspace_id AND w.has_webhooks)`,
      )
      .bind(jobId, completedEventId, new Date(now).toISOString(), now, errors.job),
    d1
      .prepare(
        `UPDATE bulk_jobs AS j SET status = 'failed', completed_at = ?2, error = ?3, success_count = ${finalSuccesses},
           failure_count = total_items - ${finalSuccesses},
           stored_bytes = stored_bytes - (SELECT coalesce(sum(${unkeptBytes}), 0) FROM bulk_items i
             WHERE i.job_id = j.id AND i.status = 'pending' AND i.qr_id IS NULL)
         WHERE id = ?1 AND completed_at IS NULL`,
      )
      .bind(jobId, now, errors.job),
    d1
      .prepare(
        `UPDATE bulk_items AS i SET status = iif(changed, 'succeeded', 'failed'), error = iif(changed, NULL, ?2),
           input = iif(qr_id IS NULL, ${keptInput}, NULL)
         WHERE job_id = ?1 AND status = 'pending'`,
      )
      .bind(jobId, errors.item),
  ]);
}
