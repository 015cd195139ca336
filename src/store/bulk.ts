import { and, asc, eq, gt } from "drizzle-orm";
import type { BulkItem, BulkJob } from "../contract/resources/bulk.ts";
import { slicesBySize } from "../lib/chunks.ts";
import { catalogue, prepared } from "./catalogue.ts";
import { keepAnswer, type NewAnswer } from "./idempotency.ts";
import type { QrRow } from "./codes.ts";
import { bulkItems, bulkJobs } from "./schema.ts";

/** A row as it waits: the code to create, or the error it ends with. */
export type StagedItem = StagedCode | string;

/** What differs from one new code to the next, and the id of its event. */
export type StagedCode = Pick<QrRow, "id" | "hash" | "qrType" | "data" | "tags"> &
  Partial<QrRow> & { readonly eventId: string };

/** Characters of JSON in one parameter: D1 takes 2 MB, and a character can be three bytes. */
const maxParameter = 500_000;

/** Writes a job and all its items down, in one transaction. */
export async function insertJob(
  d1: D1Database,
  workspaceId: string,
  job: BulkJob,
  items: readonly StagedItem[],
  now: number,
  answer?: NewAnswer,
): Promise<void> {
  const db = catalogue(d1);
  const statements = [
    prepared(
      d1,
      db.insert(bulkJobs).values({
        id: job.jobId,
        workspaceId,
        status: job.status,
        totalItems: job.totalItems,
        successCount: job.successCount,
        failureCount: job.failureCount,
        createdAt: now,
        touchedAt: now,
      }),
    ),
  ];
  let from = 0;
  for (const slice of slicesBySize(
    items.map((item) => JSON.stringify(item)),
    maxParameter,
    (json) => json.length,
  )) {
    statements.push(
      d1
        .prepare(
          `INSERT INTO bulk_items (job_id, row_index, status, input, error)
           SELECT ?1, ?2 + key, iif(type = 'object', 'pending', 'failed'), iif(type = 'object', value, NULL),
             iif(type = 'text', value, NULL)
           FROM json_each(?3)`,
        )
        .bind(job.jobId, from, `[${slice.join(",")}]`),
    );
    from += slice.length;
  }
  if (answer !== undefined) {
    statements.push(...keepAnswer(db, workspaceId, answer).map((query) => prepared(d1, query)));
  }
  await d1.batch(statements);
}

const present = (row: typeof bulkJobs.$inferSelect): BulkJob => ({
  jobId: row.id,
  status: row.status,
  totalItems: row.totalItems,
  successCount: row.successCount,
  failureCount: row.failureCount,
  createdAt: new Date(row.createdAt).toISOString(),
  completedAt: row.completedAt === null ? null : new Date(row.completedAt).toISOString(),
});

export async function findJob(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
): Promise<BulkJob | undefined> {
  const [row] = await catalogue(d1)
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.id, jobId), eq(bulkJobs.workspaceId, workspaceId)));
  return row && present(row);
}

/** Items after the row `after`, in input order. The job must be known to be the caller's. */
export async function listItems(
  d1: D1Database,
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
    .from(bulkItems)
    .where(and(eq(bulkItems.jobId, jobId), gt(bulkItems.rowIndex, after)))
    .orderBy(asc(bulkItems.rowIndex))
    .limit(limit);
}

/** Takes up jobs that have not moved since `before`; they count as moved `now`. Both are epoch milliseconds. */
export async function takeStuckJobs(
  d1: D1Database,
  before: number,
  now: number,
): Promise<{ id: string; workspaceId: string; totalItems: number }[]> {
  const { results } = await d1
    .prepare(
      `UPDATE bulk_jobs SET touched_at = ?2
       WHERE id IN (SELECT id FROM bulk_jobs WHERE completed_at IS NULL AND touched_at < ?1 LIMIT 100)
       RETURNING id, workspace_id AS workspaceId, total_items AS totalItems`,
    )
    .bind(before, now)
    .all<{ id: string; workspaceId: string; totalItems: number }>();
  return results;
}
