import type { CodeSearch } from "../../contract/resources/codes/bulk-update.ts";
import type { QrListQuery, ReadFilter } from "../../contract/resources/codes/qr.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { parseDay } from "../../lib/time/calendar.ts";
import { bounds } from "../../protocol/bounds.ts";
import { type QrRow, qrRows } from "./columns.ts";
import { hasWords } from "./words.ts";

/** A selection of live codes. */
export type ListFilter = ReadFilter<Omit<QrListQuery, "cursor" | "include">> &
  CodeSearch & {
    readonly status?: QrRow["status"] | undefined;
    /** The whole name, ignoring case. Such codes are listed by name. */
    readonly exactName?: string | undefined;
  };

/** SQL for the order by name: the name without regard to case, then the id. The index must have the same expression. */
export const nameOrder = `CASE WHEN c.name IS NULL THEN char(1114111) WHEN c.name_folded IS NULL THEN upper(c.name)
  ELSE c.name_folded END || char(1) || c.id`;

/** The beginning of positions by name of codes without one. */
const unnamed = "\u{10ffff}";

/** Returns a code's position in the order by name. */
export const namePosition = ({ id, name }: Pick<QrRow, "id" | "name">): string =>
  `${name === null ? unnamed : foldCase(name)}\u0001${id}`;

/** Returns a code's position in the order by when it was changed. Of equal length, so that texts compare as times do. */
export const changePosition = ({ id, updatedAt }: Pick<QrRow, "id" | "updatedAt">): string =>
  `${String(updatedAt).padStart(timeLength, "0")}\u0001${id}`;

/** Digits of a time in a position. */
const timeLength = 15;

/** The same as `changePosition`, in SQL. */
export const changePositionSql = `printf('%0${timeLength}d', c.updated_at) || char(1) || c.id`;

/** A condition on codes `c` with the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** How a list is ordered: the terms by which it is sorted, in SQL, its positions, and their values. */
interface Order {
  readonly terms: readonly string[];
  readonly position: string;
  readonly valuesOf: (position: string) => readonly (string | number)[];
}

const orderBy = (term: string): Order => ({ terms: [term], position: term, valuesOf: (text) => [text] });

/** By when codes were changed. The index has no ids: SQLite sorts those that were changed in the same millisecond. */
const changeOrder: Order = {
  terms: ["c.updated_at", "c.id"],
  position: changePositionSql,
  valuesOf(position) {
    const [time, id = ""] = position.split("\u0001");
    return [Number(time), id];
  },
};

/** The filters that an index applies: the first that is given. Most codes are links, and have no entry by their type. */
const indexed = [
  "hash",
  "externalId",
  "name",
  "change",
  "destination",
  "destinationHost",
  "tag",
  "folderId",
  "qrType",
] as const;

/**
 * Splits a list's filters into those that one index applies, with their order, and those that are tested on each code.
 */
export function conditionsOf(workspaceId: string, query: ListFilter) {
  const { tag, status, to, q, exactName, words = [], scanned, scannedBefore, scannedAfter } = query;
  const given = (filter: (typeof indexed)[number]) => {
    if (filter === "name") return query.sort === "name" || exactName !== undefined;
    if (filter === "change") return query.sort === "updatedAt";
    return query[filter] !== undefined && (filter !== "qrType" || query.qrType !== "url");
  };
  const index = indexed.find(given);
  const byName = index === "name";
  const byTag = index === "tag";
  const present = (conditions: readonly (readonly [sql: string, value: string | undefined])[]) =>
    conditions.flatMap(([sql, value]): Condition[] =>
      value === undefined ? [] : [{ sql, values: [value] }],
    );
  const columns = (
    ["hash", "externalId", "destination", "destinationHost", "folderId", "qrType"] as const
  ).map((filter) => [filter, `${columnNames[filter]} = ?`, query[filter]] as const);
  const folded = exactName && foldCase(exactName);
  const named = [
    [`${nameOrder} > ?`, folded && `${folded}\u0001`],
    [`${nameOrder} < ?`, folded && `${folded}\u0002`],
  ] as const;
  return {
    index,
    tables: byTag
      ? "qr_tags t CROSS JOIN qr_codes c ON c.id = t.qr_id"
      : `qr_codes c${byName ? " INDEXED BY qr_codes_name" : ""}`,
    order: byName
      ? orderBy(nameOrder)
      : index === "change"
        ? changeOrder
        : orderBy(byTag ? "t.qr_id" : "c.id"),
    ascending: isAscending(query),
    found: present([
      ["t.workspace_id = ?", byTag ? workspaceId : undefined],
      ["t.tag = ?", byTag ? tag : undefined],
      ["c.workspace_id = ?", workspaceId],
      ...(byName ? named : []),
      ...columns.map(
        ([filter, sql, value]) =>
          [filter === "qrType" ? indexedType : sql, filter === index ? value : undefined] as const,
      ),
    ]),
    tested: [
      ...present([
        [hasTag, byTag ? undefined : tag],
        // The plus keeps SQLite from choosing the index on this column.
        ...columns.map(([filter, sql, value]) => [`+${sql}`, filter === index ? undefined : value] as const),
        ...(byName ? [] : named),
        ["c.status = ?", status],
        [neverScanned, scanned],
        ["instr(lower(c.destination), ?) > 0", to],
        // Not LIKE, because D1 limits patterns to 50 bytes.
        ["instr(coalesce(c.name_folded, upper(c.name)), ?) > 0", q && foldCase(q)],
      ]),
      ...lastScanned("<", scannedBefore),
      ...lastScanned(">=", scannedAfter),
      ...(words.length === 0 ? [] : [wordCondition(words)]),
    ],
  };
}

/** Returns whether a list is ascending: by default, newest codes come first, and names from A to Z. */
export const isAscending = ({ sort = "createdAt", order, exactName }: ListFilter): boolean =>
  order === undefined
    ? exactName !== undefined || !["createdAt", "updatedAt", "scans", "lastScan"].includes(sort)
    : order === "asc";

/** The columns of filters, of the table `c`. Those of destinations are computed from the data. */
const columnNames = {
  hash: "c.hash",
  externalId: "c.external_id",
  destination: "c.destination",
  destinationHost: "c.destination_host",
  folderId: "c.folder_id",
  qrType: "c.qr_type",
} as const;

/** SQL: the condition of the index on types is repeated, as a parameter doesn't show that it holds. */
const indexedType = `${columnNames.qrType} = ? AND ${columnNames.qrType} <> 'url'`;

const hasTag =
  "EXISTS (SELECT 1 FROM qr_tags t WHERE t.workspace_id = c.workspace_id AND t.tag = ? AND t.qr_id = c.id)";

/** Returns whether the catalogue has any totals of a workspace's codes. */
export const hasScanTotals = async (db: D1Database, workspaceId: string): Promise<boolean> =>
  (await db.prepare("SELECT 1 FROM scan_totals WHERE workspace_id = ? LIMIT 1").bind(workspaceId).first()) !==
  null;

const totalsOf = "SELECT 1 FROM scan_totals s WHERE s.workspace_id = c.workspace_id AND s.qr_id = c.id";
const neverScanned = `? = 'never' AND NOT EXISTS (${totalsOf} AND s.scans > 0)`;

/** Returns the condition that a code's last scan was on one of the days. @param date such as 2026-01-31 */
const lastScanned = (operator: "<" | ">=", date: string | undefined): Condition[] =>
  date === undefined
    ? []
    : [{ sql: `EXISTS (${totalsOf} AND s.last_day ${operator} ?)`, values: [parseDay(date)] }];

function wordCondition(words: readonly string[]): Condition {
  const values: string[] = [];
  const bind = (value: string) => {
    values.push(value);
    return "?";
  };
  return { sql: hasWords(words, bind), values };
}

/** The part of a list to read. */
interface Part {
  /** The position it follows. */
  readonly after?: string | null;
  /** The last position to examine. */
  readonly end?: string | null;
  /** Whether to read those with a name, or those without. */
  readonly named?: boolean | undefined;
}

/** Returns the conditions of a part. */
function partOf(
  { terms, valuesOf }: Order,
  ascending: boolean,
  { after = null, end = null, named }: Part,
): Condition[] {
  const compared = (operator: string, position: string): Condition => ({
    sql: `(${terms.join(", ")}) ${operator} (${terms.map(() => "?").join(", ")})`,
    values: valuesOf(position),
  });
  return [
    ...(after === null ? [] : [compared(ascending ? ">" : "<", after)]),
    ...(end === null ? [] : [compared(ascending ? "<=" : ">=", end)]),
    ...(named === undefined ? [] : [{ sql: `${nameOrder} ${named ? "<" : ">="} ?`, values: [unnamed] }]),
  ];
}

/** Returns the SQL of the codes that conditions match, in an order. */
const orderedSql = (
  columns: string,
  tables: string,
  conditions: readonly Condition[],
  { terms }: Order,
  ascending: boolean,
) => `SELECT ${columns} FROM ${tables}
      WHERE c.deleted_at IS NULL AND ${conditions.map(({ sql }) => sql).join(" AND ")}
      ORDER BY ${terms.map((term) => `${term} ${ascending ? "ASC" : "DESC"}`).join(", ")}`;

/** Returns the SQL of a list of codes and its parameters. Exported so that tests can check its query plan. */
export function listQuery(
  workspaceId: string,
  query: ListFilter,
  part: Part = {},
  columns = qrRows.columns("c"),
): { sql: string; params: (string | number)[] } {
  const { tables, order, ascending, found, tested } = conditionsOf(workspaceId, query);
  const conditions = [...found, ...tested, ...partOf(order, ascending, part)];
  return {
    sql: `${orderedSql(columns, tables, conditions, order, ascending)} LIMIT ?`,
    params: [...conditions.flatMap(({ values }) => values), query.limit],
  };
}

/**
 * Returns the SQL, with parameters, that finds the last of so many positions of a list. Null for lists that an index finds
 * without testing codes one by one.
 */
export function endQuery(
  workspaceId: string,
  query: ListFilter,
  { after, named }: Pick<Part, "after" | "named">,
  entries: number,
) {
  const { tables, order, ascending, found, tested } = conditionsOf(workspaceId, query);
  if (tested.length === 0) return null;
  const conditions = [...found, ...partOf(order, ascending, { after: after ?? null, named })];
  const sql = orderedSql(`${order.position} AS position`, tables, conditions, order, ascending);
  return {
    sql: `${sql} LIMIT 2 OFFSET ${entries - 1}`,
    params: conditions.flatMap(({ values }) => values),
  };
}

async function findEnd(db: D1Database, ...list: Parameters<typeof endQuery>) {
  const query = endQuery(...list);
  if (query === null) return { end: null, time: 0 };
  const { results, meta } = await db
    .prepare(query.sql)
    .bind(...query.params)
    .all<{ position: string }>();
  // It has none if nothing comes after it.
  return { end: results.length < 2 ? null : (results[0]?.position ?? null), time: meta.duration };
}

/** A part of a list that has been read. */
interface ReadPart {
  /** The position where it ended because it had examined as many codes as allowed. */
  readonly end: string | null;
  /** Milliseconds of the catalogue. */
  readonly time: number;
}

type Listed = ReadPart & { readonly rows: QrRow[] };

/**
 * Returns a page of the workspace's codes after a position, which is an id or, by name or change, a `namePosition` or
 * `changePosition`.
 * @param entries how many codes it may examine
 */
export async function listQrs(
  db: D1Database,
  workspaceId: string,
  query: ListFilter,
  after: string | null,
  entries: number = bounds.searchedCodes,
): Promise<Listed> {
  const isFromZ = query.sort === "name" && !isAscending(query);
  if (!isFromZ) return listPart(db, workspaceId, query, { after }, entries);
  // In the index, codes without a name precede the others in this direction.
  const isUnnamed = after?.startsWith(unnamed) === true;
  const first = isUnnamed
    ? { rows: [], end: null, time: 0 }
    : await listPart(db, workspaceId, query, { after, named: true }, entries);
  const limit = query.limit - first.rows.length;
  if (first.end !== null || limit === 0) return first;
  const others = { after: isUnnamed ? after : null, named: false };
  const last = await listPart(db, workspaceId, { ...query, limit }, others, entries);
  return { rows: [...first.rows, ...last.rows], end: last.end, time: first.time + last.time };
}

async function listPart(
  db: D1Database,
  workspaceId: string,
  query: ListFilter,
  part: Part,
  entries: number,
): Promise<Listed> {
  const { end, time } = await findEnd(db, workspaceId, query, part, entries);
  const { sql, params } = listQuery(workspaceId, query, { ...part, end });
  const { results, meta } = await db
    .prepare(sql)
    .bind(...params)
    .all();
  return { rows: results.map(qrRows.read), end, time: time + meta.duration };
}

/** Counts the codes that a selection matches after a position, up to its limit. @param entries how many it may examine */
export async function countListed(
  db: D1Database,
  workspaceId: string,
  query: ListFilter,
  after: string | null,
  entries: number,
): Promise<ReadPart & { readonly codes: number }> {
  const { end, time } = await findEnd(db, workspaceId, query, { after }, entries);
  const { sql, params } = listQuery(workspaceId, query, { after, end }, "1");
  const { results, meta } = await db
    .prepare(`SELECT count(*) AS n FROM (${sql})`)
    .bind(...params)
    .all<{ n: number }>();
  return { codes: results[0]?.n ?? 0, end, time: time + meta.duration };
}

/** Returns the first codes that a selection matches, however many have to be examined. */
export async function listFirstQrs(db: D1Database, workspaceId: string, query: ListFilter): Promise<QrRow[]> {
  const { sql, params } = listQuery(workspaceId, query);
  const { results } = await db
    .prepare(sql)
    .bind(...params)
    .all();
  return results.map(qrRows.read);
}

/** Returns ids of the workspace's codes, newest first, after the id `after`. */
export async function listQrIds(
  db: D1Database,
  workspaceId: string,
  query: ListFilter,
  after: string | null = null,
): Promise<string[]> {
  const { sql, params } = listQuery(workspaceId, query, { after }, "c.id");
  const { results } = await db
    .prepare(sql)
    .bind(...params)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}
