import { and, asc, eq, gt } from "drizzle-orm";
import type { BulkItem, BulkJob } from "../contract/resources/bulk.ts";
import { chunksBySize } from "../lib/chunks.ts";
import { catalogue, statement } from "./catalogue.ts";
import { insertRecord, type NewRecord } from "./idempotency.ts";
import { column, optionalTimeColumn, presenter, timeColumn } from "./presenter.ts";
import type { QrRow } from "./codes.ts";
import { bulkItems, bulkJobs } from "./schema.ts";

/** A row that is ready to be stored: the code to create, or the error that it fails with. */
export type StagedItem = StagedCode | string;

/** The columns of a new code that differ between codes, and the id of its event. */
export type StagedCode = Pick<QrRow, "id" | "hash" | "qrType" | "data" | "tags"> &
  Partial<QrRow> & { readonly eventId: string };

/** Longest JSON in one parameter, in characters: D1 takes 2 MB, and a character can be three bytes. */
const maxParameterLength = 500_000;

/** Stores a job with all its items, in one transaction. */
export async function insertJob(
  db: D1Database,
  workspaceId: string,
  job: BulkJob,
  items: readonly StagedItem[],
  now: number,
  record?: NewRecord,
): Promise<void> {
  const insertion = catalogue(db).insert(bulkJobs).values({
    id: job.jobId,
    workspaceId,
    status: job.status,
    totalItems: job.totalItems,
    successCount: job.successCount,
    failureCount: job.failureCount,
    createdAt: now,
    lastProgressAt: now,
  });
  const records = record === undefined ? [] : insertRecord(db, workspaceId, record);
  await db.batch([statement(db, insertion), ...insertItems(db, job.jobId, items), ...records]);
}

/** Statements that store items, split so that none exceeds the size of a parameter. */
function insertItems(db: D1Database, jobId: string, items: readonly StagedItem[]): D1PreparedStatement[] {
  const rows = items.map((item) => JSON.stringify(item));
  let from = 0;
  return Array.from(
    chunksBySize(rows, maxParameterLength, (json) => json.length),
    (chunk) => {
      const insertion = db
        .prepare(
          `INSERT INTO bulk_items (job_id, row_index, status, input, error)
           SELECT ?1, ?2 + key, iif(type = 'object', 'pending', 'failed'), iif(type = 'object', value, NULL),
             iif(type = 'text', value, NULL)
           FROM json_each(?3)`,
        )
        .bind(jobId, from, `[${chunk.join(",")}]`);
      from += chunk.length;
      return insertion;
    },
  );
}

const fields = presenter<typeof bulkJobs.$inferSelect, BulkJob>({
  jobId: column("id", "id"),
  status: column("status", "status"),
  totalItems: column("totalItems", "total_items"),
  successCount: column("successCount", "success_count"),
  failureCount: column("failureCount", "failure_count"),
  createdAt: timeColumn("createdAt", "created_at"),
  completedAt: optionalTimeColumn("completedAt", "completed_at"),
});

/** An SQL expression for the job as a resource of the API, in JSON. @param alias of bulk_jobs */
export const bulkJobJson = fields.json;

export async function findJob(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
): Promise<BulkJob | undefined> {
  const [row] = await catalogue(d1)
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.id, jobId), eq(bulkJobs.workspaceId, workspaceId)));
  return row && fields.present(row, "");
}

/** Items of a job of the workspace that follow the row `after`, in input order. */
export async function listItems(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
  after: number,
  limit: number,
): Promise<BulkItem[]> {
  return catalogue(d1)
    .select({
      rowIndex: bulkItems.rowIndex,
      status: bulkItems.status,
      createdQrId: bulkItems.qrId,
      createdQrHash: bulkItems.qrHash,
      error: bulkItems.error,
    })
    .from(bulkJobs)
    .innerJoin(bulkItems, eq(bulkItems.jobId, bulkJobs.id))
    .where(and(eq(bulkJobs.id, jobId), eq(bulkJobs.workspaceId, workspaceId), gt(bulkItems.rowIndex, after)))
    .orderBy(asc(bulkItems.rowIndex))
    .limit(limit);
}

/**
 * Jobs without progress since `before`, for the sweep. Their time is set to `now`, so that the next sweep does not take
 * them again at once. Both times are epoch milliseconds.
 */
export async function takeStuckJobs(
  d1: D1Database,
  before: number,
  now: number,
): Promise<{ id: string; workspaceId: string; totalItems: number }[]> {
  const { results } = await d1
    .prepare(
      `UPDATE bulk_jobs SET last_progress_at = ?2
       WHERE id IN (SELECT id FROM bulk_jobs WHERE completed_at IS NULL AND last_progress_at < ?1 LIMIT 100)
       RETURNING id, workspace_id AS workspaceId, total_items AS totalItems`,
    )
    .bind(before, now)
    .all<{ id: string; workspaceId: string; totalItems: number }>();
  return results;
}
