import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PrintJobKind, PrintJobStatus } from "../../contract/resources/enums.ts";
import type { ArchiveOptions, PrintOptions } from "../../contract/resources/images/prints.ts";
import { workspaceIdColumn } from "./workspaces.ts";

/** A part of a job's file, an object in R2. */
export interface PrintPart {
  readonly key: string;
  readonly bytes: number;
}

/** Jobs that make the files of a print. The files are in R2. Times are epoch milliseconds. */
export const printJobs = sqliteTable(
  "print_jobs",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    kind: text("kind").$type<PrintJobKind>().notNull(),
    options: text("options", { mode: "json" }).$type<ArchiveOptions | PrintOptions>().notNull(),
    status: text("status").$type<PrintJobStatus>().notNull(),
    totalItems: integer("total_items").notNull(),
    successCount: integer("success_count").notNull().default(0),
    failureCount: integer("failure_count").notNull().default(0),
    /** Bytes of its file so far. */
    bytes: integer("bytes").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** When it was completed, failed or cancelled. */
    completedAt: integer("completed_at"),
    error: text("error"),
    /** When the list of its codes was stored. Until then the job is not visible and does not run. */
    stagedAt: integer("staged_at"),
    /** The next code, and how many of its copies are already printed. */
    nextItem: integer("next_item").notNull().default(0),
    nextCopy: integer("next_copy").notNull().default(0),
    /** The parts of the file, in its order. */
    parts: text("parts", { mode: "json" }).$type<readonly PrintPart[]>().notNull().default([]),
    /** How often a worker took the job since a part was last stored. */
    attempts: integer("attempts").notNull().default(0),
    /** Until then, the job belongs to the worker that took it, or waits for its next attempt. Null once it has ended. */
    resumeAt: integer("resume_at"),
    /** When its objects in R2 are removed; null while they are needed. */
    expiresAt: integer("expires_at"),
    /** When they were removed. */
    removedAt: integer("removed_at"),
    /** The id of the person or key that started it; null for jobs from before this was stored. */
    createdBy: text("created_by"),
  },
  (table) => [
    index("print_jobs_unfinished").on(table.workspaceId, table.id).where(sql`completed_at IS NULL`),
    index("print_jobs_free").on(table.resumeAt).where(sql`resume_at IS NOT NULL`),
    index("print_jobs_of_workspace").on(table.workspaceId, table.id),
    index("print_jobs_kept").on(table.expiresAt).where(sql`expires_at IS NOT NULL AND removed_at IS NULL`),
    /** Finds those that a person has to look at. */
    index("print_jobs_failed")
      .on(table.workspaceId, table.completedAt)
      .where(sql`completed_at IS NOT NULL AND (status = 'failed' OR failure_count > 0)`),
    index("print_jobs_removed").on(table.removedAt).where(sql`removed_at IS NOT NULL`),
  ],
);
