import { bulkJobJson } from "./bulk.ts";
import { insertNewCodes, qrJson } from "./codes.ts";

/** Rows of one job that are settled together: `size` of them from the row `from` on. */
export interface Chunk {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly from: number;
  readonly size: number;
}

export interface Settlement {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly scanOrigin: string;
  /** The id of bulk.completed, should this chunk end the job. */
  readonly completedEventId: string;
  /** Live codes the plan allows, null for no cap, and the error of rows past it. */
  readonly cap: number | null;
  readonly pastCap: string;
  /** The error of each type that the plan lacks. */
  readonly lacking: Readonly<Record<string, string>>;
}

const pending = `i.job_id = ?1 AND i.row_index >= ?2 AND i.row_index < ?2 + ?3 AND i.status = 'pending'`;
const made = "EXISTS (SELECT 1 FROM qr_codes c WHERE c.id = i.input->>'id')";

/**
 * Creates a chunk's codes with their events, settles its items, counts them, and ends the job with its event when
 * they were the last: all in one transaction, and only for items that are still pending in it. Ids and hashes were
 * given out when the rows were staged, so no row leaves the database, and none can be created twice.
 * @throws when a hash is taken (see isTaken)
 */
export async function settleChunk(d1: D1Database, chunk: Chunk, settlement: Settlement): Promise<void> {
  const { workspaceId, jobId, from, size } = chunk;
  const { now, scanOrigin, completedEventId, cap, pastCap } = settlement;
  const lacking = JSON.stringify(settlement.lacking);
  const run = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(jobId, from, size, ...values);
  await d1.batch([
    run(
      `${insertNewCodes("i.input", "?4")}
       FROM (SELECT input, row_number() OVER (ORDER BY row_index) AS position FROM bulk_items i
             WHERE ${pending} AND ?5->>(i.input->>'qrType') IS NULL) i
       CROSS JOIN workspaces w ON w.id = (SELECT workspace_id FROM bulk_jobs WHERE id = ?1 AND workspace_id = ?6)
       WHERE ?7 IS NULL OR w.live_codes + i.position <= ?7 ORDER BY i.position`,
      now,
      lacking,
      workspaceId,
      cap,
    ),
    run(
      `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
       SELECT i.input->>'eventId', c.workspace_id, 'qr.created', ${qrJson("c", "?4")}, ?5
       FROM workspaces w CROSS JOIN bulk_items i CROSS JOIN qr_codes c ON c.id = i.input->>'id'
       WHERE w.id = ?6 AND w.has_webhooks AND ${pending}`,
      scanOrigin,
      now,
      workspaceId,
    ),
    run(
      `WITH left_over AS (SELECT count(*) AS n, coalesce(sum(${made}), 0) AS made FROM bulk_items i WHERE ${pending})
       UPDATE bulk_jobs SET last_progress_at = ?4,
         status = iif(status = 'queued', 'processing', status),
         success_count = success_count + (SELECT made FROM left_over),
         failure_count = failure_count + (SELECT n - made FROM left_over)
       WHERE id = ?1 AND EXISTS (SELECT 1 FROM left_over WHERE n > 0)`,
      now,
    ),
    run(
      `UPDATE bulk_items AS i SET status = 'succeeded', qr_id = input->>'id', qr_hash = input->>'hash', input = NULL
       WHERE ${pending} AND ${made}`,
    ),
    run(
      `UPDATE bulk_items AS i SET status = 'failed', error = coalesce(?4->>(input->>'qrType'), ?5), input = NULL
       WHERE ${pending}`,
      lacking,
      pastCap,
    ),
    // The event first: like the next statement it tests that the job is done and was not before.
    d1
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT ?2, workspace_id, 'bulk.completed',
           json_set(${bulkJobJson("j")}, '$.status', 'completed', '$.completedAt', ?3), ?4
         FROM bulk_jobs j WHERE id = ?1 AND ${justDone}
           AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = workspace_id AND w.has_webhooks)`,
      )
      .bind(jobId, completedEventId, new Date(now).toISOString(), now),
    d1
      .prepare(
        `UPDATE bulk_jobs SET status = 'completed', completed_at = ?2, last_progress_at = ?2 WHERE id = ?1 AND ${justDone}`,
      )
      .bind(jobId, now),
  ]);
}

const justDone = "completed_at IS NULL AND success_count + failure_count = total_items";

/** Gives the chunk's items whose hash some code has by now another one. */
export async function renewTakenHashes(d1: D1Database, chunk: Chunk, newHash: () => string): Promise<void> {
  const bound = [chunk.jobId, chunk.from, chunk.size] as const;
  const { results } = await d1
    .prepare(
      `SELECT i.row_index AS row FROM bulk_items i CROSS JOIN qr_codes c ON c.hash = i.input->>'hash' WHERE ${pending}`,
    )
    .bind(...bound)
    .all<{ row: number }>();
  if (results.length === 0) return;
  await d1.batch(
    results.map(({ row }) =>
      d1
        .prepare(
          `UPDATE bulk_items AS i SET input = json_set(input, '$.hash', ?4) WHERE ${pending} AND row_index = ?5`,
        )
        .bind(...bound, newHash(), row),
    ),
  );
}
