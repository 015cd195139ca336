import type { BulkJobKind } from "../../contract/resources/enums.ts";
import type { Actor } from "../../protocol/history.ts";
import type { Lease } from "../jobs/lease.ts";
import type { JobChange } from "../schema/bulk.ts";

/** The progress of a staged job. Times are epoch milliseconds. */
export type JobProgress = JobCounts & JobWork;

/** A job's kind and its change. A job that creates codes has one if some of its items change codes instead. */
type JobWork =
  | { readonly kind: Extract<BulkJobKind, "create">; readonly change: JobChange | null }
  | { readonly kind: Extract<BulkJobKind, "update">; readonly change: JobChange };

interface JobCounts {
  readonly id: string;
  readonly workspaceId: string;
  /** Who began it; null for a job of a version without history. */
  readonly actor: Actor | null;
  readonly totalItems: number;
  /** Items that have succeeded or failed. */
  readonly settledItems: number;
  readonly completedAt: number | null;
  /** The rows at which its slices begin. */
  readonly slices: readonly number[];
  readonly nextSlice: number;
  /** How many times the job has been taken since a slice was last stored or settled. */
  readonly attempts: number;
  /** Null if nothing is left to do; in the future while a worker holds the job. */
  readonly resumeAt: number | null;
}

/** Returns the progress of a staged job of the workspace. */
export async function findProgress(
  db: D1Database,
  workspaceId: string,
  jobId: string,
): Promise<JobProgress | undefined> {
  const row = await db
    .prepare(
      `SELECT id, workspace_id AS workspaceId, total_items AS totalItems, success_count + failure_count AS settledItems, completed_at AS completedAt, slices,
         next_slice AS nextSlice, attempts, resume_at AS resumeAt, kind, change, actor
       FROM bulk_jobs WHERE id = ? AND workspace_id = ? AND staged_at IS NOT NULL`,
    )
    .bind(jobId, workspaceId)
    .first<
      Omit<JobCounts, "slices" | "actor"> & {
        slices: string;
        kind: BulkJobKind;
        change: string | null;
        actor: string | null;
      }
    >();
  if (row === null) return undefined;
  const { kind, slices, actor, ...counts } = row;
  const change = row.change === null ? null : (JSON.parse(row.change) as JobChange);
  const work: JobWork = kind === "update" && change !== null ? { kind, change } : { kind: "create", change };
  return {
    ...counts,
    slices: JSON.parse(slices) as number[],
    actor: actor === null ? null : (JSON.parse(actor) as Actor),
    ...work,
  };
}

/** Releases a lease, if it is still held, for the worker of the next slice. @returns whether it was held */
export async function passLease(
  db: D1Database,
  lease: Lease,
  nextSlice: number,
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .prepare(
      "UPDATE bulk_jobs SET next_slice = ?3, attempts = 0, resume_at = ?4 WHERE id = ?1 AND resume_at = ?2",
    )
    .bind(lease.jobId, lease.until, nextSlice, now)
    .run();
  return meta.changes === 1;
}

/** Finds a job's first pending item. @returns its row */
export async function findPendingRow(db: D1Database, jobId: string): Promise<number | null> {
  return db
    .prepare(
      "SELECT row_index FROM bulk_items WHERE job_id = ? AND status = 'pending' ORDER BY row_index LIMIT 1",
    )
    .bind(jobId)
    .first<number>("row_index");
}

/** Returns ids of a workspace's staged jobs that have not ended. */
export async function listUnfinishedJobs(
  db: D1Database,
  workspaceId: string,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT id FROM bulk_jobs
       WHERE workspace_id = ? AND completed_at IS NULL AND staged_at IS NOT NULL ORDER BY id LIMIT ?`,
    )
    .bind(workspaceId, limit)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}
