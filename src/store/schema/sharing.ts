import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { SharedQuery } from "../../contract/resources/analytics.ts";
import { workspaceIdColumn } from "./workspaces.ts";

/** Reports on a code or a tag that anyone with their link can read. Times are epoch milliseconds. */
export const sharedReports = sqliteTable(
  "shared_reports",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    /** SHA-256 of the token in the link, hex. */
    digest: text("digest").notNull(),
    /** The code, or the tag, that it reports on. */
    qrId: text("qr_id"),
    tag: text("tag"),
    query: text("query", { mode: "json" }).$type<SharedQuery>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** When the link stops working; null for never. */
    expiresAt: integer("expires_at"),
  },
  (table) => [
    uniqueIndex("shared_reports_digest").on(table.digest),
    index("shared_reports_workspace").on(table.workspaceId, table.id),
  ],
);
