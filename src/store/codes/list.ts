import type { CodeSearch } from "../../contract/resources/codes/bulk-update.ts";
import type { QrListQuery, ReadFilter } from "../../contract/resources/codes/qr.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { bounds } from "../../protocol/bounds.ts";
import { type QrRow, qrRows } from "./columns.ts";
import { hasWords } from "./words.ts";

/** A selection of live codes. */
export type ListFilter = ReadFilter<Omit<QrListQuery, "cursor">> &
  CodeSearch & {
    readonly status?: QrRow["status"] | undefined;
    /** Newest first if undefined. By name, unnamed codes come last. */
    readonly order?: "newest" | "oldest" | "name" | undefined;
    /** The whole name, ignoring case. Such codes are listed by name. */
    readonly exactName?: string | undefined;
  };

/** SQL for the order by name: the name without regard to case, then the id. The index must have the same expression. */
export const nameOrder = `CASE WHEN c.name IS NULL THEN char(1114111) WHEN c.name_folded IS NULL THEN upper(c.name)
  ELSE c.name_folded END || char(1) || c.id`;

/** Returns a code's position in the order by name. */
export const namePosition = ({ id, name }: Pick<QrRow, "id" | "name">): string =>
  `${name === null ? "\u{10ffff}" : foldCase(name)}\u0001${id}`;

/** A condition on codes `c` with the values of its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly string[];
}

/** The filters that an index applies: the first that is given. Most codes are links, and have no entry by their type. */
const indexed = [
  "hash",
  "externalId",
  "name",
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
  const { tag, status, to, q, exactName, words = [] } = query;
  const given = (filter: (typeof indexed)[number]) => {
    if (filter === "name") return query.order === "name" || exactName !== undefined;
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
    order: byName ? nameOrder : byTag ? "t.qr_id" : "c.id",
    isAscending: byName || query.order === "oldest",
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
        ["instr(lower(c.destination), ?) > 0", to],
        // Not LIKE, because D1 limits patterns to 50 bytes.
        ["instr(coalesce(c.name_folded, upper(c.name)), ?) > 0", q && foldCase(q)],
      ]),
      ...(words.length === 0 ? [] : [wordCondition(words)]),
    ],
  };
}

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
}

/** Returns the SQL of a list of codes and its parameters. Exported so that tests can check its query plan. */
export function listQuery(
  workspaceId: string,
  query: ListFilter,
  { after = null, end = null }: Part = {},
  columns = qrRows.columns("c"),
): { sql: string; params: (string | number)[] } {
  const { tables, order, isAscending, found, tested } = conditionsOf(workspaceId, query);
  const conditions = [
    ...found,
    ...tested,
    ...(after === null ? [] : [{ sql: `${order} ${isAscending ? ">" : "<"} ?`, values: [after] }]),
    ...(end === null ? [] : [{ sql: `${order} ${isAscending ? "<=" : ">="} ?`, values: [end] }]),
  ];
  return {
    sql: `SELECT ${columns} FROM ${tables}
      WHERE c.deleted_at IS NULL AND ${conditions.map(({ sql }) => sql).join(" AND ")}
      ORDER BY ${order} ${isAscending ? "ASC" : "DESC"} LIMIT ?`,
    params: [...conditions.flatMap(({ values }) => values), query.limit],
  };
}

/**
 * Returns the SQL, with parameters, that finds the last of so many positions of a list. Null for lists that an index finds
 * without testing codes one by one.
 */
export function endQuery(workspaceId: string, query: ListFilter, after: string | null, entries: number) {
  const { tables, order, isAscending, found, tested } = conditionsOf(workspaceId, query);
  if (tested.length === 0) return null;
  const conditions = [
    ...found,
    ...(after === null ? [] : [{ sql: `${order} ${isAscending ? ">" : "<"} ?`, values: [after] }]),
  ];
  return {
    sql: `SELECT ${order} AS position FROM ${tables}
      WHERE c.deleted_at IS NULL AND ${conditions.map(({ sql }) => sql).join(" AND ")}
      ORDER BY ${order} ${isAscending ? "ASC" : "DESC"} LIMIT 2 OFFSET ${entries - 1}`,
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

/**
 * Returns a page of the workspace's codes after a position, which is an id or, by name, a `namePosition`.
 * @param entries how many codes it may examine
 */
export async function listQrs(
  db: D1Database,
  workspaceId: string,
  query: ListFilter,
  after: string | null,
  entries: number = bounds.searchedCodes,
): Promise<ReadPart & { rows: QrRow[] }> {
  const { end, time } = await findEnd(db, workspaceId, query, after, entries);
  const { sql, params } = listQuery(workspaceId, query, { after, end });
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
): Promise<ReadPart & { codes: number }> {
  const { end, time } = await findEnd(db, workspaceId, query, after, entries);
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
