import type { BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import { type QrRow, qrRows } from "../codes/columns.ts";
import { listFirstQrs, listQrIds, listQuery } from "../codes/list.ts";
import { countLiveCodes } from "../workspaces/workspaces.ts";

/** Counts the workspace's codes that a selection matches. Reads one entry of an index for each, and none for all codes. */
export async function countSelected(
  db: D1Database,
  workspaceId: string,
  selection: BulkSelection,
): Promise<number> {
  const query = selectionQuery(workspaceId, selection);
  if (query === null) return countLiveCodes(db, workspaceId);
  const { sql, params } = query;
  const codes = await db
    .prepare(sql)
    .bind(...params)
    .first<number>("codes");
  return codes ?? 0;
}

/** The codes that a selection matches, at one moment. */
export interface Matches {
  readonly matched: number;
  /** The first of them: all ids of a selection by id, also those that no code has; newest first for a filter. */
  readonly ids: readonly string[];
}

/** Returns how many codes a selection matches, and the first of them. @param most ids for a filter */
export async function findMatches(
  db: D1Database,
  workspaceId: string,
  { ids, filter }: BulkSelection,
  most: number,
): Promise<Matches> {
  if (ids !== undefined) return { matched: await countSelected(db, workspaceId, { ids }), ids };
  const first = await listQrIds(db, workspaceId, { ...filter, limit: most });
  const isAll = first.length < most;
  return { matched: isAll ? first.length : await countSelected(db, workspaceId, { filter }), ids: first };
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

/** Returns the SQL that counts codes, and its parameters; null for all codes of the workspace. */
function selectionQuery(
  workspaceId: string,
  { ids, filter = {} }: BulkSelection,
): { sql: string; params: (string | number)[] } | null {
  if (ids !== undefined) {
    return { sql: `SELECT count(*) AS codes ${byIds}`, params: [JSON.stringify(ids), workspaceId] };
  }
  const given = Object.entries(filter).filter(
    // An empty text is a filter that no code matches; no words are none.
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  if (given.length === 0) return null;
  // Only live codes have rows there.
  if (given.length === 1 && filter.tag) {
    const sql = "SELECT count(*) AS codes FROM qr_tags t WHERE t.workspace_id = ? AND t.tag = ?";
    return { sql, params: [workspaceId, filter.tag] };
  }
  return listQuery(workspaceId, { ...filter, limit: 1 }, {}, "count(*) AS codes");
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

/** The parts of a code that have addresses. */
export type LinkedCode = Pick<QrRow, "data" | "fallbackUrl">;

/** Returns these parts of the first of the workspace's codes with these ids. */
export async function listLinks(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
  limit: number,
): Promise<LinkedCode[]> {
  const { results } = await db
    .prepare(`SELECT c.data, c.fallback_url AS fallbackUrl ${byIds} ORDER BY g.key LIMIT ?`)
    .bind(JSON.stringify(ids), workspaceId, limit)
    .all<{ data: string; fallbackUrl: string | null }>();
  return results.map(({ data, fallbackUrl }) => ({ data: JSON.parse(data) as QrRow["data"], fallbackUrl }));
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
