/** A job whose objects in R2 must be removed. */
export interface ExpiredPrint {
  readonly id: string;
  readonly workspaceId: string;
}

/** Returns jobs whose objects are no longer needed, earliest expiry first. */
export async function listExpiredPrints(db: D1Database, now: number, limit: number): Promise<ExpiredPrint[]> {
  const { results } = await db
    .prepare(
      `SELECT id, workspace_id AS workspaceId FROM print_jobs
       WHERE expires_at <= ?1 AND expires_at IS NOT NULL AND removed_at IS NULL ORDER BY expires_at LIMIT ?2`,
    )
    .bind(now, limit)
    .all<ExpiredPrint>();
  return results;
}

/** Records that a job's objects were removed. A job that was never ready to run is deleted. */
export async function markPrintRemoved(db: D1Database, id: string, now: number): Promise<void> {
  await db.batch([
    db.prepare("UPDATE print_jobs SET removed_at = ?2 WHERE id = ?1 AND staged_at IS NOT NULL").bind(id, now),
    db.prepare("DELETE FROM print_jobs WHERE id = ?1 AND staged_at IS NULL").bind(id),
  ]);
}
