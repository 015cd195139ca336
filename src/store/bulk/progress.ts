import { limits } from "../../contract/limits.ts";
import type { Lease } from "../jobs/lease.ts";
import { bulkJobJson } from "./jobs.ts";

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

/** The size of an item's input in bytes. */
const inputBytes = "coalesce(length(CAST(i.input AS BLOB)), 0)";

/** The input that a failed item keeps: all of it if short, otherwise only its line in the file. */
const keptInput = `iif(${inputBytes} <= ${limits.failedRow}, i.input,
  iif(i.input->>'line' IS NULL, NULL, json_object('line', i.input->>'line')))`;

/** The bytes freed when an item fails. */
const unkeptBytes = `iif(${inputBytes} <= ${limits.failedRow}, 0, ${inputBytes})`;

/** The code that an item has created. */
const created = "SELECT c.hash FROM qr_codes c WHERE c.id = i.input->>'id'";

/** The error of an item, in ?4. A key consisting of digits would be read as an array index. */
const givenError = "?4->>('r' || i.row_index)";

/** Whether an item that changes a code succeeds. One whose code another worker has changed does, too. */
const isChanged = `(i.changed IS NOT NULL OR ${givenError} IS NULL)`;

/**
 * Whether an item succeeds. An item that neither succeeds nor has an error stays pending. Until it has succeeded, only an item
 * that changes a code has its id.
 */
const succeeds = `iif(i.qr_id IS NULL, EXISTS (${created}), ${isChanged})`;

/** The code that an item has changed, or that is as it wants. */
const changedHash = `SELECT c.hash FROM bulk_jobs j CROSS JOIN qr_codes c ON c.workspace_id = j.workspace_id
  WHERE j.id = i.job_id AND c.id = i.qr_id AND ${givenError} IS NULL`;

const settledValues = `
  changed = iif(qr_id IS NOT NULL AND ${isChanged}, coalesce(changed, 0), NULL),
  qr_hash = coalesce(qr_hash, iif(qr_id IS NULL, (${created}), (${changedHash}))),
  qr_id = coalesce(qr_id, iif(EXISTS (${created}), input->>'id', NULL)),
  input = iif(${succeeds}, NULL, ${keptInput})`;

/** The outcome of a slice. Times are epoch milliseconds. */
export interface Settlement {
  /** Why items fail, by row. */
  readonly errors: ReadonlyMap<number, string>;
  readonly now: number;
  /** The id of the event bulk.completed, in case this slice completes the job. */
  readonly completedEventId: string;
  /** The lease, and the time until which it is renewed, if the worker continues with the job. */
  readonly renewal?: { readonly lease: Lease; readonly until: number };
}

/**
 * Returns statements that mark a slice's pending items as succeeded or failed, count them and the bytes they free, move
 * the job to the next slice if none stays pending, and complete the job if these were the last. The first returns
 * `resumeAt`, the end of the lease.
 */
export function settle(
  db: D1Database,
  { jobId, index, from, size }: Slice,
  { errors, now, completedEventId, renewal }: Settlement,
): D1PreparedStatement[] {
  const freed = `iif(${succeeds}, ${inputBytes}, ${unkeptBytes})`;
  const isSettled = `(${succeeds} OR ${givenError} IS NOT NULL)`;
  const byRow = JSON.stringify(Object.fromEntries([...errors].map(([row, error]) => [`r${row}`, error])));
  return [
    db
      .prepare(
        `WITH items AS
           (SELECT count(*) AS pending, coalesce(sum(${isSettled}), 0) AS settled, coalesce(sum(${succeeds}), 0) AS succeeding,
              coalesce(sum(iif(${isSettled}, ${freed}, 0)), 0) AS freed
            FROM bulk_items i WHERE ${pending})
         UPDATE bulk_jobs SET status = iif(status = 'queued', 'processing', status),
           success_count = success_count + (SELECT succeeding FROM items),
           failure_count = failure_count + (SELECT settled - succeeding FROM items),
           stored_bytes = stored_bytes - (SELECT freed FROM items), attempts = 0,
           next_slice = max(next_slice, iif((SELECT settled < pending FROM items), next_slice, ?5 + 1)),
           resume_at = iif(resume_at = ?6, ?7, resume_at)
         WHERE id = ?1 RETURNING resume_at AS resumeAt`,
      )
      .bind(jobId, from, size, byRow, index, renewal?.lease.until ?? null, renewal?.until ?? null),
    db
      .prepare(
        `UPDATE bulk_items AS i SET status = iif(${succeeds}, 'succeeded', 'failed'),
           error = iif(${succeeds}, NULL, ${givenError}), ${settledValues}
         WHERE ${pending} AND ${isSettled}`,
      )
      .bind(jobId, from, size, byRow),
    ...completeJob(db, jobId, completedEventId, now),
  ];
}

/**
 * Returns statements that complete a job, with its event, if its last items have just been counted. A job that changes
 * codes is then finished; one that creates codes still has to write their routes.
 */
function completeJob(
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
           stored_bytes = stored_bytes - (SELECT coalesce(sum(iif(i.changed, ${inputBytes}, ${unkeptBytes})), 0)
             FROM bulk_items i WHERE i.job_id = j.id AND i.status = 'pending')
         WHERE id = ?1 AND completed_at IS NULL`,
      )
      .bind(jobId, now, errors.job),
    d1
      .prepare(
        `UPDATE bulk_items AS i SET status = iif(changed, 'succeeded', 'failed'), error = iif(changed, NULL, ?2),
           input = iif(changed, NULL, ${keptInput})
         WHERE job_id = ?1 AND status = 'pending'`,
      )
      .bind(jobId, errors.item),
  ]);
}
