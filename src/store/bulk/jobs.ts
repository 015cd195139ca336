import { and, desc, eq, isNotNull, lt } from "drizzle-orm";
import type { BulkItem, BulkJob, BulkOutcome } from "../../contract/resources/codes/bulk.ts";
import type { BulkItemStatus } from "../../contract/resources/enums.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import { catalogue } from "../catalogue.ts";
import { activeDomain } from "../codes/columns.ts";
import { bulkJobs, type JobChange, type JobSource } from "../schema/bulk.ts";
import { presenter, tableFields } from "./presenter.ts";

const { value, time } = tableFields(bulkJobs);

const fields = presenter<typeof bulkJobs.$inferSelect, BulkJob>({
  jobId: value("id"),
  kind: value("kind"),
  status: value("status"),
  totalItems: value("totalItems"),
  successCount: value("successCount"),
  failureCount: value("failureCount"),
  createdAt: time("createdAt"),
  completedAt: time("completedAt"),
  error: value("error"),
});

/** Returns an SQL expression for the job as the API's resource, in JSON. @param alias of bulk_jobs */
export const bulkJobJson = fields.json;

/** A job with a description of its work. */
export interface DescribedJob {
  readonly job: BulkJob;
  /** Null if the job only creates codes. */
  readonly change: JobChange | null;
  /** Null unless the rows were imported in the dashboard. */
  readonly source: JobSource | null;
}

const describe = (row: typeof bulkJobs.$inferSelect): DescribedJob => ({
  job: fields.present(row, ""),
  change: row.change,
  source: row.source,
});

/** Returns an SQL expression for a job and its work, in JSON. @param alias of bulk_jobs */
export const describedJobJson = (alias: string): string =>
  `json_object('job', json(${bulkJobJson(alias)}), 'change', json(${alias}.change), 'source', json(${alias}.source))`;

/** Returns a job of the workspace whose items are all stored. */
export async function findJob(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
): Promise<BulkJob | undefined> {
  return (await findDescribedJob(d1, workspaceId, jobId))?.job;
}

/** The same with its work. */
export async function findDescribedJob(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
): Promise<DescribedJob | undefined> {
  const [row] = await catalogue(d1)
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.id, jobId), eq(bulkJobs.workspaceId, workspaceId), isNotNull(bulkJobs.stagedAt)));
  return row && describe(row);
}

/** How many later jobs are searched for the one that undoes a job. */
const searchedJobs = 200;

/** Returns the newest job that undoes another; undefined if none of the next ones does. */
export async function findUndoingJob(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
): Promise<string | undefined> {
  const sql = `SELECT id FROM (SELECT id, change FROM bulk_jobs
      WHERE workspace_id = ?1 AND staged_at IS NOT NULL AND id > ?2 ORDER BY id LIMIT ${searchedJobs})
    WHERE change ->> '$.revert' = ?2 ORDER BY id DESC LIMIT 1`;
  return (await d1.prepare(sql).bind(workspaceId, jobId).first<string>("id")) ?? undefined;
}

/** Returns the workspace's jobs, newest first, after the id `after`. */
export async function listJobs(
  d1: D1Database,
  workspaceId: string,
  limit: number,
  after: string | null,
): Promise<DescribedJob[]> {
  const rows = await catalogue(d1)
    .select()
    .from(bulkJobs)
    .where(
      and(
        eq(bulkJobs.workspaceId, workspaceId),
        isNotNull(bulkJobs.stagedAt),
        after === null ? undefined : lt(bulkJobs.id, after),
      ),
    )
    .orderBy(desc(bulkJobs.id))
    .limit(limit);
  return rows.map(describe);
}

/** Counts the codes that a job has created, has changed, and has found as its rows want them. */
export async function countOutcome(d1: D1Database, workspaceId: string, jobId: string): Promise<BulkOutcome> {
  const sql = `SELECT count(*) - count(i.changed) AS created, coalesce(sum(i.changed), 0) AS changed,
    count(i.changed) - coalesce(sum(i.changed), 0) AS unchanged ${itemsOfJob("succeeded")}`;
  const counted = await d1.prepare(sql).bind(jobId, workspaceId).first<BulkOutcome>();
  return counted ?? { created: 0, changed: 0, unchanged: 0 };
}

/** An item with what its short link is made of, instead of the link. */
export interface StoredItem extends Omit<BulkItem, "scanUrl"> {
  /** As of the code's row. */
  readonly activeDomain: string | null;
}

/** Returns a job's items after the row `after`, in input order. @param status of the items, if not all */
export async function listItems(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
  after: number,
  limit: number,
  status?: BulkItemStatus,
): Promise<StoredItem[]> {
  const { results } = await d1
    .prepare(
      `SELECT i.row_index AS rowIndex, i.status, j.kind, i.qr_id AS id, i.qr_hash AS hash, i.changed, i.updated_at AS updatedAt, iif(i.status = 'failed', i.input->>'line', NULL) AS line,
         ${errorText} AS error,
         iif(NOT EXISTS (SELECT 1 FROM domains WHERE workspace_id = ?2 AND deleted_at IS NULL), NULL,
           (SELECT ${activeDomain("c")} FROM qr_codes c WHERE c.id = i.qr_id)) AS activeDomain
       ${itemsOfJob(status)} AND i.row_index > ?3 ORDER BY i.row_index LIMIT ?4`,
    )
    .bind(jobId, workspaceId, after, limit)
    .all<ItemRow>();
  return results.map(
    ({ rowIndex, status, kind, id, hash, changed, updatedAt, line, error, activeDomain: host }) => {
      // An item that creates a code has its id once it has succeeded.
      const isUpdate = kind === "update" || changed !== null || status !== "succeeded";
      return {
        rowIndex,
        line,
        status,
        createdQrId: isUpdate ? null : id,
        createdQrHash: isUpdate ? null : hash,
        qrId: isUpdate ? id : null,
        qrHash: isUpdate ? hash : null,
        changed: changed === null ? null : changed === 1,
        updatedAt: isoTime(updatedAt),
        error,
        activeDomain: host,
      };
    },
  );
}

interface ItemRow
  extends Pick<StoredItem, "activeDomain">,
    Pick<BulkItem, "rowIndex" | "line" | "status" | "error"> {
  readonly kind: BulkJob["kind"];
  readonly id: string | null;
  readonly hash: string | null;
  readonly changed: number | null;
  readonly updatedAt: number | null;
}

/**
 * Returns SQL for the items of job ?1 of workspace ?2. Failed ones, which may be few in a large job, have their own
 * index; without the hint, SQLite would use the primary key.
 */
const itemsOfJob = (status: BulkItemStatus | undefined): string =>
  `FROM bulk_jobs j CROSS JOIN bulk_items i ${status === "failed" ? "INDEXED BY bulk_items_failed" : ""}
   WHERE j.id = ?1 AND j.workspace_id = ?2 AND i.job_id = ?1 ${status === undefined ? "" : `AND i.status = '${status}'`}`;

/** An item's error, prefixed with its line for a row of a CSV file. */
const errorText = "iif(i.input->>'line' IS NULL, i.error, 'line ' || (i.input->>'line') || ': ' || i.error)";

/** A failed item and its input, as JSON. */
export interface FailedItem {
  readonly rowIndex: number;
  readonly error: string;
  /** Null if it was not kept. */
  readonly input: unknown;
}

/** Returns a job's failed items after the row `after`, in input order. */
export async function listFailedItems(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
  after: number,
  limit: number,
): Promise<FailedItem[]> {
  const { results } = await d1
    .prepare(
      `SELECT i.row_index AS rowIndex, ${errorText} AS error, i.input ${itemsOfJob("failed")} AND i.row_index > ?3
       ORDER BY i.row_index LIMIT ?4`,
    )
    .bind(jobId, workspaceId, after, limit)
    .all<{ rowIndex: number; error: string; input: string | null }>();
  return results.map((item) => ({ ...item, input: item.input === null ? null : JSON.parse(item.input) }));
}

/** Returns the ids of codes that a job has created or changed, and the row of the last, after the row `after`. */
export async function listChangedIds(
  d1: D1Database,
  workspaceId: string,
  jobId: string,
  after: number,
  limit: number,
): Promise<{ readonly rowIndex: number; readonly id: string }[]> {
  const { results } = await d1
    .prepare(
      `SELECT i.row_index AS rowIndex, i.qr_id AS id ${itemsOfJob("succeeded")}
         AND coalesce(i.changed, j.kind = 'create') AND i.row_index > ?3 ORDER BY i.row_index LIMIT ?4`,
    )
    .bind(jobId, workspaceId, after, limit)
    .all<{ rowIndex: number; id: string }>();
  return results;
}
