import { and, desc, eq, isNotNull, lt } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { PrintJob } from "../../contract/resources/images/prints.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { catalogue } from "../catalogue.ts";
import { insertRecord, type NewRecord } from "../idempotency.ts";
import { printJobs } from "../schema/prints.ts";

/** A row of print jobs. */
export type PrintJobRow = typeof printJobs.$inferSelect;

/** Converts a row to the API's resource. */
export const presentPrintJob = (row: PrintJobRow): PrintJob => ({
  jobId: row.id,
  kind: row.kind,
  status: row.status,
  totalItems: row.totalItems,
  successCount: row.successCount,
  failureCount: row.failureCount,
  bytes: row.bytes,
  createdAt: new Date(row.createdAt).toISOString(),
  completedAt: isoTime(row.completedAt),
  fileExpiresAt: row.status === "completed" ? isoTime(row.expiresAt) : null,
  error: row.error,
});

/** Counts of a workspace: print jobs that have not ended, those of a day, and bytes of their files. */
export interface PrintUsage {
  readonly unfinished: number;
  readonly today: number;
  readonly bytes: number;
}

/** SQL for the usage of workspace ?1, where ?2 is a day ago. */
const usage = {
  unfinished: "(SELECT count(*) FROM print_jobs WHERE workspace_id = ?1 AND completed_at IS NULL)",
  today: "(SELECT count(*) FROM print_jobs WHERE workspace_id = ?1 AND created_at > ?2)",
  bytes: "(SELECT coalesce(sum(bytes), 0) FROM print_jobs WHERE workspace_id = ?1 AND removed_at IS NULL)",
};

export async function findPrintUsage(db: D1Database, workspaceId: string, now: number): Promise<PrintUsage> {
  const found = await db
    .prepare(`SELECT ${usage.unfinished} AS unfinished, ${usage.today} AS today, ${usage.bytes} AS bytes`)
    .bind(workspaceId, now - dayLength)
    .first<PrintUsage>();
  return found ?? { unfinished: 0, today: 0, bytes: 0 };
}

/**
 * Stores a job. It is not visible, and may be removed from `until` on unless its list of codes has been stored by then.
 * @returns false if the workspace may not begin one now
 */
export async function insertPrintJob(
  db: D1Database,
  workspaceId: string,
  job: Pick<PrintJobRow, "id" | "kind" | "options" | "totalItems" | "createdAt" | "createdBy">,
  until: number,
): Promise<boolean> {
  const { unfinished, perDay, keptBytes } = limits.printJob;
  const { meta } = await db
    .prepare(
      `INSERT INTO print_jobs (id, workspace_id, kind, options, status, total_items, created_at, expires_at, created_by)
       SELECT ?3, ?1, ?4, ?5, 'queued', ?6, ?7, ?8, ?12
       WHERE ${usage.unfinished} < ?9 AND ${usage.today} < ?10 AND ${usage.bytes} < ?11`,
    )
    .bind(
      ...[workspaceId, job.createdAt - dayLength, job.id, job.kind, JSON.stringify(job.options)],
      ...[job.totalItems, job.createdAt, until, unfinished, perDay, keptBytes, job.createdBy],
    )
    .run();
  return meta.changes > 0;
}

/**
 * Makes a job visible and ready to run, and stores the response's record.
 * @returns false if it was removed in the meantime; then nothing was stored
 * @throws if another request with the Idempotency-Key came first (see isUniqueViolation)
 */
export async function stagePrintJob(
  db: D1Database,
  workspaceId: string,
  id: string,
  now: number,
  record: NewRecord | undefined,
): Promise<boolean> {
  const [staged] = await db.batch([
    db
      .prepare(
        "UPDATE print_jobs SET staged_at = ?2, resume_at = ?2, expires_at = NULL WHERE id = ?1 AND expires_at > ?2",
      )
      .bind(id, now),
    ...(record === undefined ? [] : insertRecord(db, workspaceId, { ...record, printJobId: id })),
  ]);
  return staged?.meta.changes === 1;
}

/** Returns a job of the workspace. */
export async function findPrintJob(
  db: D1Database,
  workspaceId: string,
  id: string,
): Promise<PrintJobRow | undefined> {
  const [row] = await catalogue(db)
    .select()
    .from(printJobs)
    .where(and(eq(printJobs.id, id), eq(printJobs.workspaceId, workspaceId), isNotNull(printJobs.stagedAt)));
  return row;
}

/** Returns the workspace's jobs, newest first, after the id `after`. */
export const listPrintJobs = (
  db: D1Database,
  workspaceId: string,
  limit: number,
  after: string | null,
): Promise<PrintJobRow[]> =>
  catalogue(db)
    .select()
    .from(printJobs)
    .where(
      and(
        eq(printJobs.workspaceId, workspaceId),
        isNotNull(printJobs.stagedAt),
        after === null ? undefined : lt(printJobs.id, after),
      ),
    )
    .orderBy(desc(printJobs.id))
    .limit(limit);

/** Cancels a job that has not ended. A worker that holds it stores nothing more. @returns whether it had not ended */
export async function cancelPrintJob(
  db: D1Database,
  workspaceId: string,
  id: string,
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      `UPDATE print_jobs SET status = 'cancelled', completed_at = ?3, expires_at = max(?3, coalesce(resume_at, 0)), resume_at = NULL
       WHERE id = ?1 AND workspace_id = ?2 AND completed_at IS NULL AND staged_at IS NOT NULL`,
    )
    .bind(id, workspaceId, now)
    .run();
  return meta.changes === 1;
}

/** Ends the workspace's jobs that have not ended. Workers that hold them store nothing more. */
export async function failPrintJobs(
  db: D1Database,
  workspaceId: string,
  error: string,
  now: number,
): Promise<void> {
  await db
    .prepare(
      `UPDATE print_jobs SET status = 'failed', error = ?2, completed_at = ?3,
         expires_at = max(?3, coalesce(resume_at, 0)), resume_at = NULL
       WHERE workspace_id = ?1 AND completed_at IS NULL AND staged_at IS NOT NULL`,
    )
    .bind(workspaceId, error, now)
    .run();
}

/** Makes the file of an ended job expire. */
export async function expirePrintJob(
  db: D1Database,
  workspaceId: string,
  id: string,
  now: number,
): Promise<void> {
  await db
    .prepare("UPDATE print_jobs SET expires_at = ?3 WHERE id = ?1 AND workspace_id = ?2 AND expires_at > ?3")
    .bind(id, workspaceId, now)
    .run();
}
