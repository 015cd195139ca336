import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import { catalogue } from "../catalogue.ts";
import { type PrintPart, printJobs } from "../schema/prints.ts";
import type { PrintJobRow } from "./jobs.ts";

/** Returns the workspace's next job: the oldest that has not ended. */
export async function findNextPrintJob(
  db: D1Database,
  workspaceId: string,
): Promise<PrintJobRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(printJobs)
    .where(
      and(
        eq(printJobs.workspaceId, workspaceId),
        isNull(printJobs.completedAt),
        isNotNull(printJobs.stagedAt),
      ),
    )
    .orderBy(asc(printJobs.id))
    .limit(1);
  return row;
}

/** The right to work on a job until this time, epoch milliseconds, which also identifies the holder. */
export interface PrintLease {
  readonly jobId: string;
  readonly until: number;
}

/**
 * Acquires a job that has been free since `resumeAt`, and counts the attempt. @returns undefined if another worker was
 * faster
 */
export async function acquirePrintLease(
  db: D1Database,
  jobId: string,
  resumeAt: number,
  until: number,
): Promise<PrintLease | undefined> {
  const { meta } = await db
    .prepare("UPDATE print_jobs SET resume_at = ?3, attempts = attempts + 1 WHERE id = ?1 AND resume_at = ?2")
    .bind(jobId, resumeAt, until)
    .run();
  return meta.changes === 1 ? { jobId, until } : undefined;
}

/** Leaves a job alone until `resumeAt`, if it is still held. */
export async function releasePrintLease(db: D1Database, lease: PrintLease, resumeAt: number): Promise<void> {
  await db
    .prepare("UPDATE print_jobs SET resume_at = ?3 WHERE id = ?1 AND resume_at = ?2")
    .bind(lease.jobId, lease.until, resumeAt)
    .run();
}

/** A job's progress after a part of its file. */
export interface PrintProgress {
  readonly part: PrintPart;
  readonly successes: number;
  readonly failures: number;
  readonly nextItem: number;
  readonly nextCopy: number;
}

/**
 * Stores a job's progress and releases its lease. @returns false if another worker has the job; nothing is stored then
 */
export async function recordProgress(
  db: D1Database,
  lease: PrintLease,
  { part, successes, failures, nextItem, nextCopy }: PrintProgress,
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `UPDATE print_jobs SET status = 'processing', success_count = success_count + ?3, failure_count = failure_count + ?4,
         next_item = ?5, next_copy = ?6, bytes = bytes + ?7,
         parts = json_insert(parts, '$[#]', json(?8)), attempts = 0, resume_at = ?9
       WHERE id = ?1 AND resume_at = ?2`,
    )
    .bind(
      ...[lease.jobId, lease.until, successes, failures, nextItem, nextCopy],
      ...[part.bytes, JSON.stringify(part), now],
    )
    .run();
  return meta.changes === 1;
}

/** Completes a job with the last part of its file. @returns false if another worker has it */
export async function completePrintJob(
  db: D1Database,
  lease: PrintLease,
  last: PrintPart,
  now: number,
  expiresAt: number,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `UPDATE print_jobs SET status = 'completed', completed_at = ?3, expires_at = ?4, bytes = bytes + ?5,
         parts = json_insert(parts, '$[#]', json(?6)), resume_at = NULL
       WHERE id = ?1 AND resume_at = ?2`,
    )
    .bind(lease.jobId, lease.until, now, expiresAt, last.bytes, JSON.stringify(last))
    .run();
  return meta.changes === 1;
}

/** Ends a job that can't be completed, if it is still held. Its objects are removed later. */
export async function failPrintJob(
  db: D1Database,
  lease: PrintLease,
  error: string,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE print_jobs SET status = 'failed', completed_at = ?3, expires_at = ?3, error = ?4, resume_at = NULL
       WHERE id = ?1 AND resume_at = ?2`,
    )
    .bind(lease.jobId, lease.until, now, error)
    .run();
}

/** Returns at most `limit` workspaces whose next job is free, because its message may be lost or its worker dead. */
export async function listStrandedPrints(db: D1Database, now: number, limit: number): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT p.workspace_id AS workspaceId FROM print_jobs p
       WHERE p.resume_at <= ?1 AND p.resume_at IS NOT NULL AND NOT EXISTS
         (SELECT 1 FROM print_jobs o WHERE o.workspace_id = p.workspace_id AND o.id < p.id
            AND o.completed_at IS NULL AND o.staged_at IS NOT NULL)
       ORDER BY p.resume_at LIMIT ?2`,
    )
    .bind(now, limit)
    .all<{ workspaceId: string }>();
  return results.map(({ workspaceId }) => workspaceId);
}
