import { bulkJobJson } from "./bulk.ts";
import type { Lease } from "./bulk-lease.ts";
import { insertNewCodes, qrJson } from "./codes.ts";

/** Rows of a job that are processed in one transaction: `size` of them, beginning with the row `from`. */
export interface Slice {
  readonly workspaceId: string;
  readonly jobId: string;
  /** Its index among the job's slices. */
  readonly index: number;
  readonly from: number;
  readonly size: number;
}

/** The values that a slice's statements need besides its rows. */
export interface SliceContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly scanOrigin: string;
  /** The id of the event bulk.completed, in case this slice completes the job. */
  readonly completedEventId: string;
  /** Live codes the plan allows; null for no cap. */
  readonly cap: number | null;
  /** The error of rows that exceed the cap. */
  readonly capError: string;
  /** The error of rows of each type that the plan does not include. */
  readonly typeErrors: Readonly<Record<string, string>>;
  /** Until when the job is held after the slice, in epoch milliseconds. */
  readonly until: number;
}

const pending = `i.job_id = ?1 AND i.row_index >= ?2 AND i.row_index < ?2 + ?3 AND i.status = 'pending'`;
const created = "EXISTS (SELECT 1 FROM qr_codes c WHERE c.id = i.input->>'id')";

/**
 * Creates the codes of a slice's pending items with their events, marks the items as succeeded or failed, counts them,
 * and completes the job if they were its last. It is one transaction. Ids and hashes were assigned when the rows were
 * staged, so that repeating a slice creates no code twice, and a worker that lost its lease does no harm.
 * @returns the lease, renewed; undefined if another worker has the job
 * @throws when a hash exists already (see isUniqueViolation)
 */
export async function processSlice(
  d1: D1Database,
  slice: Slice,
  lease: Lease,
  context: SliceContext,
): Promise<Lease | undefined> {
  const { workspaceId, jobId, index, from, size } = slice;
  const { now, scanOrigin, completedEventId, cap, capError, until } = context;
  const typeErrors = JSON.stringify(context.typeErrors);
  const run = (sql: string, ...values: unknown[]) => d1.prepare(sql).bind(jobId, from, size, ...values);
  const [, , progress] = await d1.batch<{ resumeAt: number }>([
    run(
      `${insertNewCodes("i.input", "?4")}
       FROM (SELECT input, row_number() OVER (ORDER BY row_index) AS position FROM bulk_items i
             WHERE ${pending} AND ?5->>(i.input->>'qrType') IS NULL) i
       CROSS JOIN workspaces w ON w.id = (SELECT workspace_id FROM bulk_jobs WHERE id = ?1 AND workspace_id = ?6)
       WHERE ?7 IS NULL OR w.live_codes + i.position <= ?7 ORDER BY i.position`,
      now,
      typeErrors,
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
      `WITH pending_items AS (SELECT count(*) AS n, coalesce(sum(${created}), 0) AS created FROM bulk_items i WHERE ${pending})
       UPDATE bulk_jobs SET status = iif(status = 'queued', 'processing', status),
         success_count = success_count + (SELECT created FROM pending_items),
         failure_count = failure_count + (SELECT n - created FROM pending_items),
         attempts = 0, next_slice = max(next_slice, ?4 + 1), resume_at = iif(resume_at = ?5, ?6, resume_at)
       WHERE id = ?1 RETURNING resume_at AS resumeAt`,
      index,
      lease.until,
      until,
    ),
    run(
      `UPDATE bulk_items AS i SET status = 'succeeded', qr_id = input->>'id', qr_hash = input->>'hash', input = NULL
       WHERE ${pending} AND ${created}`,
    ),
    run(
      `UPDATE bulk_items AS i SET status = 'failed', error = coalesce(?4->>(input->>'qrType'), ?5), input = NULL
       WHERE ${pending}`,
      typeErrors,
      capError,
    ),
    // The event comes before the update, so that both statements test that the job has just been completed.
    d1
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT ?2, workspace_id, 'bulk.completed',
           json_set(${bulkJobJson("j")}, '$.status', 'completed', '$.completedAt', ?3), ?4
         FROM bulk_jobs j WHERE id = ?1 AND ${isJustCompleted}
           AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = workspace_id AND w.has_webhooks)`,
      )
      .bind(jobId, completedEventId, new Date(now).toISOString(), now),
    d1
      .prepare(
        `UPDATE bulk_jobs SET status = 'completed', completed_at = ?2 WHERE id = ?1 AND ${isJustCompleted}`,
      )
      .bind(jobId, now),
  ]);
  return progress?.results[0]?.resumeAt === until ? { jobId, until } : undefined;
}

/**
 * Ends a job that can't be completed, in one transaction: its pending items fail, and what was created stays.
 * @param errors of the job and of the items
 * @param now epoch milliseconds
 */
export async function failJob(
  d1: D1Database,
  jobId: string,
  errors: { readonly job: string; readonly item: string },
  completedEventId: string,
  now: number,
): Promise<void> {
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
         SELECT ?2, workspace_id, 'bulk.completed',
           json_set(${bulkJobJson("j")}, '$.status', 'failed', '$.failureCount', total_items - success_count,
             '$.completedAt', ?3, '$.error', ?5), ?4
         FROM bulk_jobs j WHERE id = ?1 AND completed_at IS NULL
           AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = workspace_id AND w.has_webhooks)`,
      )
      .bind(jobId, completedEventId, new Date(now).toISOString(), now, errors.job),
    d1
      .prepare(
        `UPDATE bulk_items SET status = 'failed', error = ?2, input = NULL WHERE job_id = ?1 AND status = 'pending'`,
      )
      .bind(jobId, errors.item),
    d1
      .prepare(
        `UPDATE bulk_jobs SET status = 'failed', completed_at = ?2, error = ?3, failure_count = total_items - success_count
         WHERE id = ?1 AND completed_at IS NULL`,
      )
      .bind(jobId, now, errors.job),
  ]);
}

const isJustCompleted = "completed_at IS NULL AND success_count + failure_count = total_items";

/** A pending item whose hash a code has taken since the item was staged. */
export interface TakenRow {
  readonly row: number;
  readonly isChosen: boolean;
}

/** The slice's pending items whose hash is taken. */
export async function listTakenRows(d1: D1Database, slice: Slice): Promise<TakenRow[]> {
  const { results } = await d1
    .prepare(
      `SELECT i.row_index AS row, i.input->>'chosenHash' AS chosen
       FROM bulk_items i CROSS JOIN qr_codes c ON c.hash = i.input->>'hash' WHERE ${pending}`,
    )
    .bind(slice.jobId, slice.from, slice.size)
    .all<{ row: number; chosen: number | null }>();
  return results.map(({ row, chosen }) => ({ row, isChosen: chosen === 1 }));
}

/** Assigns new hashes to pending items of the slice. */
export async function replaceHashes(
  d1: D1Database,
  slice: Slice,
  rows: readonly number[],
  newHash: () => string,
): Promise<void> {
  await d1.batch(
    rows.map((row) =>
      d1
        .prepare(
          `UPDATE bulk_items AS i SET input = json_set(input, '$.hash', ?4) WHERE ${pending} AND row_index = ?5`,
        )
        .bind(slice.jobId, slice.from, slice.size, newHash(), row),
    ),
  );
}
