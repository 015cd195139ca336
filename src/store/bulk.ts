import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { BulkItem, BulkJob } from "../contract/bulk.ts";
import type { QrCreateInput } from "../contract/qr.ts";
import { slicesBySize } from "../lib/slices.ts";
import { catalogue, prepared } from "./catalogue.ts";
import { type OutboxEvent, writeEvents } from "./events.ts";
import { keepAnswer, type NewAnswer } from "./idempotency.ts";
import { insertStatement, type QrRow } from "./qr.ts";
import { bulkItems, bulkJobs } from "./schema.ts";

/** A row as it waits: what to create, or the error it ends with. */
export interface StagedItem {
  readonly input: QrCreateInput | null;
  readonly error: string | null;
}

/** Characters of JSON in one parameter: D1 takes 2 MB, and a character can be three bytes. */
export const maxParameter = 500_000;

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
           SELECT ?1, ?2 + key, iif(value->>'error' IS NULL, 'pending', 'failed'),
             nullif(value->'input', 'null'), value->>'error'
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

export interface PendingItem {
  readonly rowIndex: number;
  readonly input: QrCreateInput;
}

/** What is still to be created of the `size` rows from `from` on, of a job of this workspace. */
export async function pendingItems(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
  from: number,
  size: number,
): Promise<PendingItem[]> {
  const { results } = await d1
    .prepare(
      `SELECT i.row_index AS rowIndex, i.input FROM bulk_jobs j JOIN bulk_items i ON i.job_id = j.id
       WHERE j.id = ?1 AND j.workspace_id = ?2 AND i.row_index >= ?3 AND i.row_index < ?3 + ?4
         AND i.status = 'pending' ORDER BY i.row_index`,
    )
    .bind(jobId, workspaceId, from, size)
    .all<{ rowIndex: number; input: string }>();
  return results.map(({ rowIndex, input }) => ({ rowIndex, input: JSON.parse(input) as QrCreateInput }));
}

export interface ChunkSettlement {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly from: number;
  readonly size: number;
  readonly now: number;
  /** The id of bulk.completed, should this chunk end the job. */
  readonly completedEventId: string;
  /** Live codes the plan allows, null for no cap, and the error of rows past it. */
  readonly cap: number | null;
  readonly pastCap: string;
  /** Rows that can't be created any more, with the reason. */
  readonly refused: readonly { readonly rowIndex: number; readonly error: string }[];
  readonly codes: readonly (QrRow & { readonly rowIndex: number })[];
  readonly events: readonly OutboxEvent[];
}

/**
 * Creates a chunk's codes with their events, settles its items, counts them, and ends the job with its event
 * when they were the last: all in one transaction, and only for items that are still pending in it.
 * @throws when a hash is taken (see isTaken)
 */
export async function settleChunk(d1: D1Database, chunk: ChunkSettlement): Promise<void> {
  const { workspaceId, jobId, from, size, now } = chunk;
  const db = catalogue(d1);
  const stillPending = sql`(SELECT i.status FROM bulk_items i
    WHERE i.job_id = ${jobId} AND i.row_index = r.value->>'rowIndex') = 'pending'`;
  const attempt = JSON.stringify(chunk.codes.map(({ id, hash, rowIndex }) => ({ id, hash, rowIndex })));
  const pendingHere = `bulk_items.job_id = ?1 AND bulk_items.row_index >= ?2
    AND bulk_items.row_index < ?2 + ?3 AND bulk_items.status = 'pending'`;
  await d1.batch([
    prepared(d1, insertStatement(db, workspaceId, chunk.cap, chunk.codes, stillPending)),
    prepared(d1, writeEvents(db, workspaceId, 1, chunk.events)),
    d1
      .prepare(
        `WITH made AS (SELECT count(*) AS n FROM json_each(?4) m CROSS JOIN qr_codes c ON c.id = m.value->>'id'),
           left_over AS (SELECT count(*) AS n FROM bulk_items WHERE ${pendingHere})
         UPDATE bulk_jobs SET touched_at = ?5,
           status = iif(status = 'queued', 'processing', status),
           success_count = success_count + (SELECT n FROM made),
           failure_count = failure_count + (SELECT n FROM left_over) - (SELECT n FROM made)
         WHERE id = ?1 AND EXISTS (SELECT 1 FROM left_over WHERE n > 0)`,
      )
      .bind(jobId, from, size, attempt, now),
    d1
      .prepare(
        // An upsert is driven by the JSON, row by row; UPDATE … FROM would read the JSON anew for each item.
        `INSERT INTO bulk_items (job_id, row_index, status, qr_id, qr_hash)
         SELECT ?1, m.value->>'rowIndex', 'succeeded', c.id, c.hash
         FROM json_each(?2) m CROSS JOIN qr_codes c ON c.id = m.value->>'id' WHERE true
         ON CONFLICT (job_id, row_index) DO UPDATE
           SET status = excluded.status, qr_id = excluded.qr_id, qr_hash = excluded.qr_hash, input = NULL
           WHERE status = 'pending'`,
      )
      .bind(jobId, attempt),
    d1
      .prepare(
        `UPDATE bulk_items SET status = 'failed', input = NULL, error = coalesce(
           (SELECT value->>'error' FROM json_each(?5) WHERE value->>'rowIndex' = bulk_items.row_index), ?4)
         WHERE ${pendingHere}`,
      )
      .bind(jobId, from, size, chunk.pastCap, JSON.stringify(chunk.refused)),
    // The event first: like the next statement it tests that the job is done and was not before.
    d1
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT ?2, workspace_id, 'bulk.completed', json_object('jobId', id, 'status', 'completed',
           'totalItems', total_items, 'successCount', success_count, 'failureCount', failure_count,
           'createdAt', ${isoTime("created_at")}, 'completedAt', ${isoTime("?3")}), ?3
         FROM bulk_jobs WHERE id = ?1 AND ${justDone}`,
      )
      .bind(jobId, chunk.completedEventId, now),
    d1
      .prepare(
        `UPDATE bulk_jobs SET status = 'completed', completed_at = ?2, touched_at = ?2 WHERE id = ?1 AND ${justDone}`,
      )
      .bind(jobId, now),
  ]);
}

const justDone = "completed_at IS NULL AND success_count + failure_count = total_items";

/** SQL for epoch milliseconds as ISO 8601, as `Date.toISOString` writes it. */
const isoTime = (value: string) =>
  `strftime('%Y-%m-%dT%H:%M:%S', CAST(${value} AS INTEGER) / 1000, 'unixepoch') ||
   printf('.%03dZ', CAST(${value} AS INTEGER) % 1000)`;

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
