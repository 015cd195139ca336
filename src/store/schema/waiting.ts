import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StoredWaitingKind } from "../../contract/waiting-kinds.ts";

/**
 * The things of a workspace that wait for a person, as far as the catalogue knows them: a page's count reads this row.
 * Triggers on the tables of these things delete it, and the next page writes it again.
 */
export const waitingItems = sqliteTable("waiting_items", {
  workspaceId: text("workspace_id").primaryKey(),
  items: text("items", { mode: "json" }).$type<readonly (readonly [StoredWaitingKind, string])[]>().notNull(),
  /** When the first of them stops waiting by itself, epoch milliseconds. */
  freshUntil: integer("fresh_until").notNull(),
});

/** Workspaces with an address for alerts, which their ledgers have. */
export const alertAddresses = sqliteTable(
  "alert_addresses",
  {
    workspaceId: text("workspace_id").primaryKey(),
    /** When the sweep looks for something new that waits, epoch milliseconds; 0 once the catalogue knows of a change. */
    checkAt: integer("check_at").notNull(),
  },
  (table) => [index("alert_addresses_due").on(table.checkAt)],
);
