import { type SQL, sql } from "drizzle-orm";
import { limits } from "../contract/limits.ts";

/** Tables whose deleted rows stay until they can't be restored any more, and are then deleted. */
export type DeletableTable = "folders" | "templates";

/** Returns the condition of a workspace's deleted rows that are more than it may keep, those deleted first. */
export const isSurplus = (table: DeletableTable, workspaceId: string): SQL =>
  sql`id IN (SELECT id FROM ${sql.identifier(table)} WHERE workspace_id = ${workspaceId} AND deleted_at IS NOT NULL
    ORDER BY deleted_at DESC, id DESC LIMIT -1 OFFSET ${limits.deletedKept})`;
