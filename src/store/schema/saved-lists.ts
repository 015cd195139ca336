import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SavedFilter } from "../../contract/resources/codes/saved-lists.ts";
import type { ListColumn, ListSort, SortOrder } from "../../contract/resources/enums.ts";
import { isDeleted, isLive, resourceVersionColumn, workspaceIdColumn } from "./workspaces.ts";

/** Saved lists of codes. Times are epoch milliseconds. */
export const savedLists = sqliteTable(
  "saved_lists",
  {
    id: text("id").primaryKey(),
    workspaceId: workspaceIdColumn(),
    /** The person who alone has it; empty for a list of the whole workspace. */
    ownerId: text("owner_id").notNull(),
    name: text("name").notNull(),
    /** The `naturalOrder` of the name. */
    nameOrder: text("name_order").notNull(),
    filter: text("filter", { mode: "json" }).$type<SavedFilter>().notNull(),
    sort: text("sort").$type<ListSort>().notNull(),
    order: text("direction").$type<SortOrder>().notNull(),
    columns: text("columns", { mode: "json" }).$type<readonly ListColumn[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Set while the list can be restored; its row is then deleted. */
    deletedAt: integer("deleted_at"),
    version: resourceVersionColumn(),
  },
  (table) => [
    index("saved_lists_live").on(table.workspaceId, table.ownerId, table.nameOrder, table.id).where(isLive),
    index("saved_lists_owner").on(table.ownerId).where(sql`owner_id <> ''`),
    index("saved_lists_deleted").on(table.deletedAt).where(isDeleted),
    index("saved_lists_restorable").on(table.workspaceId, table.deletedAt, table.id).where(isDeleted),
  ],
);
