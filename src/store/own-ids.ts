import { and, eq, type SQL } from "drizzle-orm";
import { catalogue, isAmong } from "./catalogue.ts";
import type { folders, pages } from "./schema.ts";

/** Which of these ids are the workspace's, of a table's rows that meet a condition. Asks nothing for none. */
export async function ownIds(
  db: D1Database,
  table: typeof folders | typeof pages,
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
