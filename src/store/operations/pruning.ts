import { limits } from "../../contract/limits.ts";

/** Deletes data that is kept for a limited time, in all workspaces, for the sweep. Times are epoch milliseconds. */

/** How many jobs' items one step deletes. */
const jobsPerStep = 100;

/**
 * Deletes items of jobs completed at `before` or earlier, oldest jobs first, and marks the jobs that have none left.
 * @param limit maximum number of items
 * @returns how many items were deleted
 */
export async function pruneBulkItems(
  db: D1Database,
  before: number,
  now: number,
  limit: number,
): Promise<number> {
  const oldestDue = `SELECT id FROM bulk_jobs
    WHERE completed_at <= ?1 AND completed_at IS NOT NULL AND items_pruned_at IS NULL
    ORDER BY completed_at LIMIT ${jobsPerStep}`;
  const [deleted] = await db.batch([
    db
      .prepare(
        `DELETE FROM bulk_items WHERE (job_id, row_index) IN
           (SELECT i.job_id, i.row_index FROM (${oldestDue}) oldest CROSS JOIN bulk_items i ON i.job_id = oldest.id LIMIT ?2)`,
      )
      .bind(before, limit),
    db
      .prepare(
        `UPDATE bulk_jobs SET items_pruned_at = ?2, stored_bytes = ${limits.bulkRowBytes.job}
           + length(CAST(slices AS BLOB)) + coalesce(length(CAST(change AS BLOB)), 0)
         WHERE id IN (${oldestDue}) AND NOT EXISTS (SELECT 1 FROM bulk_items i WHERE i.job_id = bulk_jobs.id)`,
      )
      .bind(before, now),
  ]);
  return deleted?.meta.changes ?? 0;
}

/** Deletes keys revoked before `before`. @param limit maximum number of keys @returns how many were deleted */
export async function pruneRevokedKeys(db: D1Database, before: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys
         WHERE revoked_at < ?1 AND revoked_at IS NOT NULL AND +revocation_pending_at IS NULL LIMIT ?2)`,
    )
    .bind(before, limit)
    .run();
  return meta.changes;
}

/** The same for keys that expired before `before`. */
export async function pruneExpiredKeys(db: D1Database, before: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys
         WHERE expires_at < ?1 AND expires_at IS NOT NULL AND +revocation_pending_at IS NULL LIMIT ?2)`,
    )
    .bind(before, limit)
    .run();
  return meta.changes;
}

/** Deletes jobs that were completed before `before` and have no items left. @param limit maximum number of jobs */
export async function pruneBulkJobs(db: D1Database, before: number, limit: number): Promise<void> {
  await db
    .prepare(
      `DELETE FROM bulk_jobs WHERE id IN
         (SELECT id FROM bulk_jobs WHERE completed_at < ?1 AND items_pruned_at IS NOT NULL LIMIT ?2)`,
    )
    .bind(before, limit)
    .run();
}

/**
 * Deletes idempotency records older than `before`. @param limit maximum number of records @returns how many were
 * deleted
 */
export async function pruneRecords(db: D1Database, before: number, limit: number): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM idempotency_records WHERE (workspace_id, key_id, key) IN
         (SELECT workspace_id, key_id, key FROM idempotency_records WHERE created_at < ?1 LIMIT ?2)`,
    )
    .bind(before, limit)
    .run();
  return meta.changes;
}
