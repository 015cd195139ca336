import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Codes' human scans as their ledger has told: of new codes after an hour, of others once a day. A code that was never
 * scanned has no row, or one without scans. A trigger deletes the row of a code that is erased.
 */
export const scanTotals = sqliteTable(
  "scan_totals",
  {
    workspaceId: text("workspace_id").notNull(),
    qrId: text("qr_id").notNull(),
    scans: integer("scans").notNull(),
    /** The day of the last one in the reports' time zone, since 1970-01-01; null for none. */
    lastDay: integer("last_day"),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.qrId] })],
);
