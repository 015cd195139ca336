import { and, eq, type SQL } from "drizzle-orm";
import { catalogue, isAmong } from "./catalogue.ts";
import type { folders, qrCodes } from "./schema/workspaces.ts";

/**
 * Returns the ids that belong to the workspace's rows of a table. Runs no query for an empty list.
 * @param condition that the rows must also meet
 */
export async function filterOwnedIds(
  db: D1Database,
  table: typeof folders | typeof qrCodes,
  workspaceId: string,
  ids: readonly string[],
  condition?: SQL,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await catalogue(db)
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.workspaceId, workspaceId), isAmong(table.id, ids), condition));
  return new Set(rows.map((row) => row.id));
}
