import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Comparison, Dimension } from "../../contract/resources/scans/analytics.ts";
import { resourceVersionColumn, workspaceIdColumn } from "./workspaces.ts";

/** The range of a report: days relative to today, or specific dates. */
export type Range =
  | "7d"
  | "30d"
  | "90d"
  | "12m"
  | "month"
  | "last-month"
  | "quarter"
  | "last-quarter"
  | "custom";

/** The parts of a shared report that readers see. */
export interface SharedQuery {
  /** The ranges that readers can choose; the first one is the default. */
  readonly ranges: readonly Range[];
  /** The dates of the range `custom`; empty for others. */
  readonly from: string;
  readonly to: string;
  /** Compare with the previous period, or with the same one a year earlier. */
  readonly compare: Comparison | null;
  readonly dimensions: readonly Dimension[];
}

/** Reports that anyone with their link can read. Times are epoch milliseconds. */
export const sharedReports = sqliteTable(
  "shared_reports",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    /** SHA-256 of the token in the link, hex. */
    digest: text("digest").notNull(),
    /** The code, tag or folder that it reports on; all null for the whole workspace. */
    qrId: text("qr_id"),
    tag: text("tag"),
    folderId: text("folder_id"),
    query: text("query", { mode: "json" }).$type<SharedQuery>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** When the link stops working; null for never. */
    expiresAt: integer("expires_at"),
    version: resourceVersionColumn(),
    /** Given by the person who shares it; null for none. Readers don't see it. */
    name: text("name"),
    /** The last day on which a person opened it, in the reporting time zone, YYYY-MM-DD; null for never. */
    openedOn: text("opened_on"),
  },
  (table) => [
    uniqueIndex("shared_reports_digest").on(table.digest),
    index("shared_reports_workspace").on(table.workspaceId, table.id),
  ],
);
