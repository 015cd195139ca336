/** The tables of jobs. Their columns `resume_at` and `attempts` mean the same. */
export type JobTable = "bulk_jobs" | "print_jobs";

/** The right to work on a job until `until`, epoch milliseconds. That time also identifies the holder. */
export interface Lease {
  readonly table: JobTable;
  readonly jobId: string;
  /** Later once it has been renewed. */
  until: number;
}

/**
 * Acquires a job that has been free since `resumeAt`, and counts the attempt. @returns undefined if another worker was
 * faster
 */
export async function acquireLease(
  db: D1Database,
  table: JobTable,
  jobId: string,
  resumeAt: number,
  until: number,
): Promise<Lease | undefined> {
  const { meta } = await db
    .prepare(`UPDATE ${table} SET resume_at = ?3, attempts = attempts + 1 WHERE id = ?1 AND resume_at = ?2`)
    .bind(jobId, resumeAt, until)
    .run();
  return meta.changes === 1 ? { table, jobId, until } : undefined;
}

/** Extends a lease if it is still held, until `until`, epoch milliseconds. @returns whether it was held */
export async function renewLease(db: D1Database, lease: Lease, until: number): Promise<boolean> {
  const isHeld = await releaseLease(db, lease, until);
  if (isHeld) lease.until = until;
  return isHeld;
}

/**
 * Releases a lease if it is still held.
 * @param resumeAt when the job may be taken again; null if it is finished
 * @returns whether it was held
 */
export async function releaseLease(db: D1Database, lease: Lease, resumeAt: number | null): Promise<boolean> {
  const { meta } = await db
    .prepare(`UPDATE ${lease.table} SET resume_at = ?3 WHERE id = ?1 AND resume_at = ?2`)
    .bind(lease.jobId, lease.until, resumeAt)
    .run();
  return meta.changes === 1;
}

/** A job that a worker can take at `resumeAt`, epoch milliseconds. */
export interface WaitingJob {
  readonly id: string;
  readonly workspaceId: string;
  readonly resumeAt: number;
}

/** Conditions for a job that is next. A workspace's print jobs run one after the other. */
const isNext: Readonly<Record<JobTable, string>> = {
  bulk_jobs: "staged_at IS NOT NULL",
  print_jobs: `NOT EXISTS (SELECT 1 FROM print_jobs o
    WHERE o.workspace_id = j.workspace_id AND o.id < j.id AND o.completed_at IS NULL AND o.staged_at IS NOT NULL)`,
};

/**
 * Returns unfinished jobs that are free or will be at `until`, longest free first. From now on they count as free since
 * `now`. Times are epoch milliseconds.
 */
export async function takeUnfinishedJobs(
  db: D1Database,
  table: JobTable,
  now: number,
  until: number,
): Promise<WaitingJob[]> {
  const { results } = await db
    .prepare(
      `UPDATE ${table} SET resume_at = max(resume_at, ?1)
       WHERE id IN (SELECT j.id FROM ${table} j WHERE j.resume_at <= ?2 AND ${isNext[table]}
                    ORDER BY j.resume_at LIMIT 100)
       RETURNING id, workspace_id AS workspaceId, resume_at AS resumeAt`,
    )
    .bind(now, until)
    .all<WaitingJob>();
  return results;
}
