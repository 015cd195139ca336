import { chunksBySize } from "../../lib/chunks.ts";
import { changeFits, fittedEntry, valuesFit } from "../history.ts";
import type { ResourceColumn, ResourceKind, ResourceRow, Change } from "./kind.ts";

/** Options for storing changes. */
export interface ChangesOptions {
  /** The caps of the workspace's plan that apply to creating and restoring, by the names that the conditions use. */
  readonly caps?: Readonly<Record<string, number | null>>;
  /** The item of a bulk job that each change is for. */
  readonly item?: ChangeItem;
  /** Statements that come last in the transaction. */
  readonly after?: readonly D1PreparedStatement[];
}

/** How the changes of a bulk job are bound to its items. In the SQL, `s.value` is a change as JSON. */
export interface ChangeItem {
  /** SQL: the condition that the item still waits for its change. Its parameters begin with ?4. */
  readonly isPending: string;
  /** Returns the SQL of a statement that marks the items. @param stored SQL of a FROM clause, for the changes that will be stored */
  mark?(stored: string): string;
  readonly values: readonly (string | number)[];
}

/** The outcome of storing changes. */
export interface StoredChanges {
  /** The ids of the resources whose changes were stored. */
  readonly ids: ReadonlySet<string>;
  /** The results of the statements that came last. */
  readonly results: readonly D1Result<Record<string, unknown>>[];
}

/** The length of one JSON parameter, in characters. A character can be three bytes, and D1 allows 2 MB. */
const maxPortionLength = 500_000;

/**
 * Stores changes of one kind, each with its event and its entry, in one transaction. They are either all creations or all
 * changes, and no two are of the same resource. A change is stored only if its resource still has the version that it was
 * computed from, and if it meets the conditions of its kind; the others are left out.
 * @throws if a unique value already exists (see isUniqueViolation), or the workspace is full (see isStorageFull)
 */
export async function storeChanges<Row extends ResourceRow>(
  db: D1Database,
  kind: ResourceKind<Row>,
  workspaceId: string,
  changes: readonly Change<Row>[],
  { caps = {}, item, after = [] }: ChangesOptions = {},
): Promise<StoredChanges> {
  const creates = changes.every(({ before }) => before === null);
  const columns = columnsSet(kind, changes, creates);
  const applicable = applicableRows(kind, changes, creates, item);
  const statements = creates
    ? insertStatements(kind, columns, applicable, item)
    : updateStatements(kind, columns, applicable, item);
  const json = changes.map((change) => changeAsJson(kind, change, columns));
  const length = ({ where, set, log }: ChangeJson) => where.length + set.length + log.length;
  // Where a change needs the version that another makes, they are stored one after the other.
  const most = changes.some(({ requires }) => requires !== undefined) ? 1 : maxPortionLength;
  const batch = [...chunksBySize(json, most, length)].flatMap((portion) =>
    statements.map(({ sql, reads }) => {
      const portionJson = `[${portion.map((change) => change[reads]).join(",")}]`;
      return db.prepare(sql).bind(portionJson, workspaceId, JSON.stringify(caps), ...(item?.values ?? []));
    }),
  );
  const sideEffects = changes.flatMap((change) => kind.sideEffects?.(db, change) ?? []);
  const results = await db.batch<Record<string, unknown>>([...batch, ...sideEffects, ...after]);
  // Only the statements that write the rows return ids.
  const written = results.slice(0, batch.length).flatMap((result) => result.results);
  return {
    ids: new Set(written.map(({ id }) => String(id))),
    results: results.slice(batch.length + sideEffects.length),
  };
}

/** A change as JSON: where it applies and under which conditions, and the same with its values, or with its event and entry. */
type ChangeJson = Readonly<Record<"where" | "set" | "log", string>>;

/** A statement, and what it reads of each change. */
interface ChangeStatement {
  readonly sql: string;
  readonly reads: keyof ChangeJson;
}

/** Returns the columns that changes set. New rows needn't set those that are null in all of them. */
function columnsSet<Row extends ResourceRow>(
  { columns }: ResourceKind<Row>,
  changes: readonly Change<Row>[],
  creates: boolean,
): readonly ResourceColumn<Row>[] {
  return creates
    ? columns.filter(({ key }) => changes.some(({ after }) => after[key] !== null))
    : [...new Set(changes.flatMap((change) => change.columns))];
}

function changeAsJson<Row extends ResourceRow>(
  kind: ResourceKind<Row>,
  change: Change<Row>,
  columns: readonly ResourceColumn<Row>[],
): ChangeJson {
  const { before, after, id, at, event, history, row } = change;
  const valuesOf = (some: readonly ResourceColumn<Row>[], of: Row) =>
    Object.fromEntries(some.map(({ key, name, toSql }) => [name, toSql(of[key])]));
  const tested = Object.entries(kind.conditions).map(([name, { of }]) => [name, of(change)]);
  const where = {
    ...{ id: after.id, row, at, if: Object.fromEntries(tested) },
    ...(before !== null && { version: before.version, was: valuesOf(kind.checkedColumns, before) }),
  };
  return {
    where: JSON.stringify(where),
    set: JSON.stringify({ ...where, new: valuesOf(columns, after) }),
    log: JSON.stringify({ ...where, event: id, kind: event?.kind, data: event?.data, history }),
  };
}

/** Returns SQL of a FROM clause for the changes that may be stored. */
function applicableRows<Row extends ResourceRow>(
  { table, conditions, checkedColumns }: ResourceKind<Row>,
  changes: readonly Change<Row>[],
  creates: boolean,
  item: ChangeItem | undefined,
): string {
  const applying = Object.entries(conditions).filter(([, { of }]) => changes.some((change) => of(change) != null));
  const tests = [
    "w.id = ?2",
    creates
      ? `NOT EXISTS (SELECT 1 FROM ${table} WHERE id = s.value->>'id')`
      : "c.workspace_id = w.id AND c.version = s.value->>'version'",
    ...(creates ? [] : checkedColumns.map(({ name }) => `c.${name} IS s.value->>'$.was.${name}'`)),
    ...applying.map(([name, { sql }]) => {
      const value = `s.value->>'$.if.${name}'`;
      return `(${value} IS NULL OR ${sql(value)})`;
    }),
    ...(item === undefined ? [] : [item.isPending]),
  ];
  const current = creates ? "" : `CROSS JOIN ${table} c ON c.id = s.value->>'id'`;
  return `FROM (SELECT ?3 AS caps) p CROSS JOIN workspaces w CROSS JOIN ${parsed} ${current}
    WHERE ${tests.join(" AND ")}`;
}

/** The changes. They are parsed once: json_each would write and parse a change again for each of its values. */
const parsed = "(SELECT key, jsonb(value) AS value FROM json_each(?1) LIMIT -1) s";

/** The columns of a change's row in the outbox. Values that the event's data has are in the history only once. */
const outboxColumns = `s.value->>'event', w.id, iif(w.has_webhooks, coalesce(s.value->>'kind', ''), ''),
  iif(s.value->'data' IS NOT NULL AND (w.has_webhooks OR (${valuesFit} AND s.value->'$.history.changes' IS NULL)),
    s.value->'data', '{}'), ${fittedEntry("(s.value->'history')")}, s.value->>'at'`;

const insertOutbox = "INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)";

/** The events come after the new rows, because a full workspace leaves out the rows that don't fit. */
function insertStatements<Row extends ResourceRow>(
  { table }: ResourceKind<Row>,
  columns: readonly ResourceColumn<Row>[],
  applicable: string,
  item: ChangeItem | undefined,
): ChangeStatement[] {
  const names = columns.map(({ name }) => name);
  return [
    {
      reads: "set",
      sql: `INSERT INTO ${table} (${names.join(", ")})
        SELECT ${names.map((name) => `s.value->>'$.new.${name}'`).join(", ")} ${applicable} RETURNING id`,
    },
    {
      reads: "log",
      sql: `${insertOutbox}
        SELECT ${outboxColumns} FROM workspaces w CROSS JOIN ${parsed} CROSS JOIN ${table} c ON c.id = s.value->>'id'
        WHERE w.id = ?2 AND ?3 IS NOT NULL AND c.workspace_id = w.id AND ${changeFits} AND ${item?.isPending ?? "true"}`,
    },
  ];
}

/** The items and the events come before the changed rows, so that all see the versions before. */
function updateStatements<Row extends ResourceRow>(
  { table }: ResourceKind<Row>,
  columns: readonly ResourceColumn<Row>[],
  applicable: string,
  item: ChangeItem | undefined,
): ChangeStatement[] {
  return [
    ...(item?.mark === undefined ? [] : [{ reads: "where" as const, sql: item.mark(applicable) }]),
    { reads: "log", sql: `${insertOutbox} SELECT ${outboxColumns} ${applicable} AND ${changeFits}` },
    {
      reads: "set",
      sql: `WITH stored AS MATERIALIZED (SELECT c.id AS stored_id, s.value AS change ${applicable})
        UPDATE ${table} AS c SET ${columns.map(({ name }) => `${name} = change->>'$.new.${name}'`).join(", ")}
        FROM stored WHERE c.id = stored_id RETURNING id`,
    },
  ];
}
