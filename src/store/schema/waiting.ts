import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StoredWaitingKind } from "../../contract/resources/waiting.ts";

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
