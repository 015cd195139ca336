import { limits, mostSorted } from "../../contract/limits.ts";
import type { QrSort } from "../../contract/resources/enums.ts";
import { bounds } from "../../protocol/bounds.ts";
import { type QrRow, qrRows } from "./columns.ts";
import { changePositionSql, conditionsOf, isAscending, type ListFilter, listQrIds } from "./list.ts";

/** Lists of codes that are sorted for each page, because no index has them in their order. */

/** The sorts besides the order of ids. */
export type SortedBy = Exclude<QrSort, "createdAt">;

/** SQL for what the codes `c`, with their folders `f`, are sorted by. */
const keys: Readonly<Record<SortedBy, string>> = {
  updatedAt: changePositionSql,
  name: "coalesce(c.name_folded, upper(c.name))",
  folder: "f.name_order",
  status: "c.status",
  qrType: "c.qr_type",
  externalId: "upper(c.external_id)",
  domain: "c.domain",
  destination: "substr(c.destination, instr(c.destination, '://') + 3)",
  hash: "c.hash",
  scans: "printf('%012d', coalesce(st.scans, 0))",
  lastScan: "CASE WHEN st.last_day IS NOT NULL THEN printf('%06d', st.last_day) END",
};

const joinedTotals = "LEFT JOIN scan_totals st ON st.workspace_id = c.workspace_id AND st.qr_id = c.id";

/** The tables beside the codes `c` that sorts need. */
const joined: Readonly<Partial<Record<SortedBy, string>>> = {
  folder: "LEFT JOIN folders f ON f.id = c.folder_id AND f.workspace_id = c.workspace_id",
  scans: joinedTotals,
  lastScan: joinedTotals,
};

/** A code with its position in a sorted list: what it is sorted by, and its id. */
export interface SortedQr {
  readonly row: QrRow;
  readonly position: string;
}

/**
 * Returns the SQL of a page of a sorted list and its parameters. Each row has the number of codes that match, of which at
 * most one more than `mostSorted` are read, among as many as `isBeyond` allows. Exported so that tests can check
 * its query plan.
 */
export function sortedQuery(workspaceId: string, query: ListFilter, sort: SortedBy, after: string | null) {
  const { sort: _sort, order: _order, ...filters } = query;
  const { tables, found, tested } = conditionsOf(workspaceId, filters);
  const ascending = isAscending(query);
  // Codes without a value come last in both directions.
  const last = ascending ? "char(1114111)" : "''";
  const key = sort === "updatedAt" ? keys[sort] : `coalesce(${keys[sort]}, ${last}) || char(1) || c.id`;
  const direction = ascending ? "ASC" : "DESC";
  return {
    sql: `WITH found AS MATERIALIZED (
        SELECT c.rowid AS at, ${key} AS position FROM ${tables}
        ${joined[sort] ?? ""}
        WHERE c.deleted_at IS NULL AND ${[...found, ...tested].map(({ sql }) => sql).join(" AND ")}
        LIMIT ${mostSorted(sort) + 1}
      )
      SELECT ${qrRows.columns("c")}, i.position AS position, (SELECT count(*) FROM found) AS matched FROM (
        SELECT at, position FROM found ${after === null ? "" : `WHERE position ${ascending ? ">" : "<"} ?`}
        ORDER BY position ${direction} LIMIT ?
      ) i CROSS JOIN qr_codes c ON c.rowid = i.at ORDER BY i.position ${direction}`,
    params: [
      ...[...found, ...tested].flatMap(({ values }) => values),
      ...(after === null ? [] : [after]),
      query.limit,
    ],
  };
}

/**
 * Returns the SQL that finds whether a filter needs more codes to be examined than a sorted list may, and its parameters;
 * null for one that an index finds alone.
 */
function beyondQuery(workspaceId: string, query: ListFilter) {
  const { sort: _sort, order: _order, ...filters } = query;
  const { tables, found, tested } = conditionsOf(workspaceId, filters);
  if (tested.length === 0) return null;
  return {
    sql: `SELECT 1 AS found FROM ${tables}
      WHERE c.deleted_at IS NULL AND ${found.map(({ sql }) => sql).join(" AND ")} LIMIT 1 OFFSET ${bounds.sortedFrom}`,
    params: found.flatMap(({ values }) => values),
  };
}

async function isBeyond(db: D1Database, workspaceId: string, query: ListFilter): Promise<boolean> {
  const beyond = beyondQuery(workspaceId, query);
  if (beyond === null) return false;
  const { sql, params } = beyond;
  return (
    (await db
      .prepare(sql)
      .bind(...params)
      .first()) !== null
  );
}

/** Returns the ids of the codes that a filter matches; undefined if that are more than can be sorted. */
export async function findSortedIds(
  db: D1Database,
  workspaceId: string,
  filters: Omit<ListFilter, "limit">,
): Promise<string[] | undefined> {
  const query = { ...filters, limit: limits.sortedCodes + 1 };
  if (await isBeyond(db, workspaceId, query)) return undefined;
  const ids = await listQrIds(db, workspaceId, query);
  return ids.length > limits.sortedCodes ? undefined : ids;
}

/**
 * Returns a page of the workspace's codes that a filter matches, sorted, after a position. Null if more codes match than
 * are sorted, or too many would have to be examined.
 */
export async function sortQrs(
  db: D1Database,
  workspaceId: string,
  query: ListFilter,
  sort: SortedBy,
  after: string | null,
): Promise<SortedQr[] | null> {
  if (await isBeyond(db, workspaceId, query)) return null;
  const { sql, params } = sortedQuery(workspaceId, query, sort, after);
  const { results } = await db
    .prepare(sql)
    .bind(...params)
    .all<{ position: string; matched: number }>();
  if (Number(results[0]?.matched ?? 0) > mostSorted(sort)) return null;
  return results.map((result) => ({ row: qrRows.read(result), position: result.position }));
}
