import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { BulkChange } from "../../contract/resources/codes/bulk-update.ts";
import type { CodeColumn } from "../../contract/resources/codes/qr-fields.ts";
import type { BulkItemStatus, BulkJobKind, BulkJobStatus } from "../../contract/resources/enums.ts";
import type { Actor } from "../../protocol/history.ts";
import { workspaceIdColumn } from "./workspaces.ts";

/** The catalogue's bulk jobs. Times are epoch milliseconds. */

/** The table that a job's rows were imported from. */
export interface JobSource {
  readonly fileName?: string;
  /** The names of its columns, by our names. */
  readonly columns: Readonly<Partial<Record<CodeColumn, string>>>;
}

/** The change of a job: a request's, or the reversal of another job. */
export interface JobChange extends BulkChange {
  /** The id of the job whose changes are reverted. */
  readonly revert?: string;
  /** Whether each item has a change of its own. */
  readonly rows?: true;
}

export const bulkJobs = sqliteTable(
  "bulk_jobs",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    status: text("status").$type<BulkJobStatus>().notNull(),
    totalItems: integer("total_items").notNull(),
    successCount: integer("success_count").notNull(),
    failureCount: integer("failure_count").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it was completed or failed. */
    completedAt: integer("completed_at"),
    /** Why it failed. */
    error: text("error"),
    /** When all its items were stored. Until then the job is not visible and does not run. */
    stagedAt: integer("staged_at"),
    /** The rows at which slices begin. Each slice is processed in one transaction. */
    slices: text("slices", { mode: "json" }).$type<number[]>().notNull().default([0]),
    /** The index of the first slice that has not been processed. */
    nextSlice: integer("next_slice").notNull().default(0),
    /** How many times a worker has taken the job since a slice was last processed. */
    attempts: integer("attempts").notNull().default(0),
    /**
     * Until then, the job belongs to the request that stages it or the worker that took it, which extends this with
     * every step. Null once nothing is left to do.
     */
    resumeAt: integer("resume_at"),
    /** When the last of the items was deleted. */
    itemsPrunedAt: integer("items_pruned_at"),
    kind: text("kind").$type<BulkJobKind>().notNull().default("create"),
    /** The change of a job of kind `update`, or of the items of another that change codes. */
    change: text("change", { mode: "json" }).$type<JobChange>(),
    /** For a job whose rows were imported in the dashboard. */
    source: text("source", { mode: "json" }).$type<JobSource>(),
    /** Who began it; null for a job of a version without history. */
    actor: text("actor", { mode: "json" }).$type<Actor>(),
    /** Approximate bytes that the job and its items take up. Triggers add them to the workspace's. */
    storedBytes: integer("stored_bytes").notNull().default(0),
  },
  (table) => [
    index("bulk_jobs_unfinished").on(table.resumeAt).where(sql`resume_at IS NOT NULL`),
    index("bulk_jobs_under_way").on(table.workspaceId, table.id).where(sql`completed_at IS NULL`),
    index("bulk_jobs_of_workspace").on(table.workspaceId, table.id).where(sql`staged_at IS NOT NULL`),
    index("bulk_jobs_unpruned")
      .on(table.completedAt)
      .where(sql`completed_at IS NOT NULL AND items_pruned_at IS NULL`),
    /** Finds those that a person has to look at. */
    index("bulk_jobs_failed")
      .on(table.workspaceId, table.completedAt)
      .where(sql`completed_at IS NOT NULL AND (status = 'failed' OR failure_count > 0)`),
    index("bulk_jobs_pruned").on(table.completedAt).where(sql`items_pruned_at IS NOT NULL`),
  ],
);

export const bulkItems = sqliteTable(
  "bulk_items",
  {
    jobId: text("job_id").notNull(),
    rowIndex: integer("row_index").notNull(),
    status: text("status").$type<BulkItemStatus>().notNull(),
    /**
     * The code to create, or the item's own change; null once that is done. An invalid row of a table has its `cells`
     * instead; one of a CSV file also has its `line`.
     */
    input: text("input", { mode: "json" }),
    error: text("error"),
    /** The code that was created or is to be changed. The latter may belong to another workspace. */
    qrId: text("qr_id"),
    qrHash: text("qr_hash"),
    /**
     * Whether the code was changed: set to true in the transaction of the change, or to false when the item succeeds
     * without one.
     */
    changed: integer("changed", { mode: "boolean" }),
    /** The code's `updated_at` after the job has changed it. */
    updatedAt: integer("updated_at"),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.rowIndex] }),
    index("bulk_items_failed").on(table.jobId, table.rowIndex).where(sql`status = 'failed'`),
  ],
);
