import type { BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import { type QrRow, qrRows } from "../codes/columns.ts";
import { listFirstQrs, listQuery } from "../codes/list.ts";

/** Counts the workspace's codes that a selection matches. */
export async function countSelected(
  db: D1Database,
  workspaceId: string,
  selection: BulkSelection,
): Promise<number> {
  const { sql, params } = selectionQuery(workspaceId, selection);
  const n = await db
    .prepare(sql)
    .bind(...params)
    .first<number>("n");
  return n ?? 0;
}

/** Returns whether phones can't read the design of any of the workspace's codes. */
export const hasUnreadable = async (db: D1Database, workspaceId: string): Promise<boolean> =>
  (await db
    .prepare(
      "SELECT 1 FROM qr_codes c WHERE c.workspace_id = ? AND c.readable = 0 AND c.deleted_at IS NULL LIMIT 1",
    )
    .bind(workspaceId)
    .first()) !== null;

/** The same of codes that a selection matches. */
export async function isUnreadableSelected(
  db: D1Database,
  workspaceId: string,
  { ids, filter }: BulkSelection,
): Promise<boolean> {
  const { sql, params } =
    ids === undefined
      ? listQuery(workspaceId, { ...filter, limit: 1 }, {}, "max(c.readable = 0) AS found")
      : { sql: `SELECT max(c.readable = 0) AS found ${byIds}`, params: [JSON.stringify(ids), workspaceId] };
  const found = await db
    .prepare(sql)
    .bind(...params)
    .first<number>("found");
  return found === 1;
}

/** Returns the SQL that counts codes, and its parameters. Exported so that tests can check its query plan. */
function selectionQuery(
  workspaceId: string,
  { ids, filter }: BulkSelection,
): { sql: string; params: (string | number)[] } {
  if (ids === undefined) return listQuery(workspaceId, { ...filter, limit: 1 }, {}, "count(*) AS n");
  return { sql: `SELECT count(*) AS n ${byIds}`, params: [JSON.stringify(ids), workspaceId] };
}

const byIds = `FROM json_each(?) g CROSS JOIN qr_codes c ON c.id = g.value
  WHERE c.workspace_id = ? AND c.deleted_at IS NULL`;

/** Returns the first codes that a selection matches: newest first, or in the order of its ids. */
export async function listSelected(
  db: D1Database,
  workspaceId: string,
  { ids, filter }: BulkSelection,
  limit: number,
): Promise<QrRow[]> {
  if (ids === undefined) return listFirstQrs(db, workspaceId, { ...filter, limit });
  const { results } = await db
    .prepare(`SELECT ${qrRows.columns("c")} ${byIds} ORDER BY g.key LIMIT ?`)
    .bind(JSON.stringify(ids), workspaceId, limit)
    .all();
  return results.map(qrRows.read);
}

/** A code by what its files are named after. */
export interface NamedCode {
  readonly id: string;
  readonly hash: string;
  readonly name: string | null;
}

/** The same codes by their names. */
export async function listSelectedNames(
  db: D1Database,
  workspaceId: string,
  { ids, filter }: BulkSelection,
  limit: number,
): Promise<NamedCode[]> {
  const columns = "c.id, c.hash, c.name";
  const { sql, params } =
    ids === undefined
      ? listQuery(workspaceId, { ...filter, limit }, {}, columns)
      : {
          sql: `SELECT ${columns} ${byIds} ORDER BY g.key LIMIT ?`,
          params: [JSON.stringify(ids), workspaceId, limit],
        };
  const { results } = await db
    .prepare(sql)
    .bind(...params)
    .all<NamedCode>();
  return results;
}
