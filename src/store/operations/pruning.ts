import { limits } from "../../contract/limits.ts";

/** How many jobs' items one step deletes. */
const jobsPerStep = 100;

/**
 * Deletes items of jobs completed at `before` or earlier, oldest jobs first, and marks the jobs that have none left. Times
 * are epoch milliseconds.
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
