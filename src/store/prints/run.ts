import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import { catalogue } from "../catalogue.ts";
import type { Lease } from "../jobs/lease.ts";
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
  lease: Lease,
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
  lease: Lease,
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
export async function failPrintJob(db: D1Database, lease: Lease, error: string, now: number): Promise<void> {
  await db
    .prepare(
      `UPDATE print_jobs SET status = 'failed', completed_at = ?3, expires_at = ?3, error = ?4, resume_at = NULL
       WHERE id = ?1 AND resume_at = ?2`,
    )
    .bind(lease.jobId, lease.until, now, error)
    .run();
}
