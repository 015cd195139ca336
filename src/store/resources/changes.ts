import { chunksBySize } from "../../lib/chunks.ts";
import { isGuarded } from "../../protocol/history.ts";
import { changeFits, fittedEntry, guardedFit, valuesFit } from "../history.ts";
import type { Change, ResourceColumn, ResourceKind, ResourceRow } from "./kind.ts";

/** Options for storing changes. */
export interface ChangesOptions {
  /** The caps of the workspace's plan that apply to creating and restoring, by the names that the conditions use. */
  readonly caps?: Readonly<Record<string, number | null>> | undefined;
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
 * Stores changes of one kind, each with its event and its entry, in one transaction: creations first, and no two of the
 * same resource. A change is stored only if its resource still has the version that it was computed from, and if it meets
 * the conditions of its kind; the others are left out.
 * @throws if a unique value already exists (see isUniqueViolation), or the workspace is full (see isStorageFull)
 */
export async function storeChanges<Row extends ResourceRow>(
  db: D1Database,
  kind: ResourceKind<Row>,
  workspaceId: string,
  changes: readonly Change<Row>[],
  options: ChangesOptions = {},
): Promise<StoredChanges> {
  const created = changes.filter(({ before }) => before === null);
  const changed = changes.filter(({ before }) => before !== null);
  const writing = [
    ...statementsOf(db, kind, workspaceId, created, true, options),
    ...statementsOf(db, kind, workspaceId, changed, false, options),
  ];
  const sideEffects = changes.flatMap((change) => kind.sideEffects?.(db, change) ?? []);
  const { after = [] } = options;
  const results = await db.batch<Record<string, unknown>>([...writing, ...sideEffects, ...after]);
  // Only the statements that write the rows return ids.
  const written = results.slice(0, writing.length).flatMap((result) => result.results);
  return {
    ids: new Set(written.map(({ id }) => String(id))),
    results: results.slice(writing.length + sideEffects.length),
  };
}

/** Returns the statements that write rows, events and entries of creations, or of changes. */
function statementsOf<Row extends ResourceRow>(
  db: D1Database,
  kind: ResourceKind<Row>,
  workspaceId: string,
  changes: readonly Change<Row>[],
  creates: boolean,
  { caps = {}, item }: ChangesOptions,
): D1PreparedStatement[] {
  if (changes.length === 0) return [];
  const columns = columnsSet(kind, changes, creates);
  const applicable = applicableRows(kind, changes, creates, item);
  const log = logOf(changes);
  const statements = creates
    ? insertStatements(kind, columns, applicable, log, item)
    : updateStatements(kind, columns, applicable, log, item);
  const json = changes.map((change) => {
    const parts = partsOf(kind, change, columns);
    return statements.map(({ reads }) => JSON.stringify(parts[reads]));
  });
  const length = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);
  // Where a change needs the version that another makes, they are stored one after the other.
  const most = changes.some(({ requires }) => requires !== undefined) ? 1 : maxPortionLength;
  return [...chunksBySize(json, most, length)].flatMap((portion) =>
    statements.map(({ sql }, i) => {
      const portionJson = `[${portion.map((texts) => texts[i]).join(",")}]`;
      return db.prepare(sql).bind(portionJson, workspaceId, JSON.stringify(caps), ...(item?.values ?? []));
    }),
  );
}

/** The parts of a change: where it applies and under which conditions, and the same with its values, or with its event and entry. */
type ChangeParts = Readonly<Record<"where" | "set" | "log", object>>;

/** A statement, and what it reads of each change. */
interface ChangeStatement {
  readonly sql: string;
  readonly reads: keyof ChangeParts;
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

function partsOf<Row extends ResourceRow>(
  kind: ResourceKind<Row>,
  change: Change<Row>,
  columns: readonly ResourceColumn<Row>[],
): ChangeParts {
  const { before, after, id, at, event, history, row, requires } = change;
  const valuesOf = (some: readonly ResourceColumn<Row>[], of: Row) =>
    Object.fromEntries(some.map(({ key, name, toSql }) => [name, toSql(of[key])]));
  const tested: Record<string, unknown> = {};
  for (const [name, { of }] of Object.entries(kind.conditions)) tested[name] = of(change) ?? undefined;
  const names = { id: after.id, row, at };
  const where = {
    ...{ ...names, if: tested, requires },
    ...(before !== null && { version: before.version, was: valuesOf(kind.checkedColumns, before) }),
  };
  const logged = { event: id, kind: event?.kind, data: event?.data, history };
  return {
    where,
    set: { ...where, new: valuesOf(columns, after) },
    // Of creations, those are logged whose row is there.
    log: { ...(before === null ? names : where), ...logged },
  };
}

/** Returns SQL of a FROM clause for the changes that may be stored. */
function applicableRows<Row extends ResourceRow>(
  { table, keys, conditions, checkedColumns }: ResourceKind<Row>,
  changes: readonly Change<Row>[],
  creates: boolean,
  item: ChangeItem | undefined,
): string {
  const applying = Object.entries(conditions).filter(([, { of }]) =>
    changes.some((change) => of(change) != null),
  );
  const tests = [
    "w.id = ?2",
    creates
      ? `NOT EXISTS (SELECT 1 FROM ${table} WHERE ${keys.id} = s.value->>'id' AND ${keys.workspaceId} = w.id)`
      : `c.${keys.workspaceId} = w.id AND c.${keys.version} = s.value->>'version'`,
    ...(creates ? [] : checkedColumns.map(({ name }) => `c.${name} IS s.value->>'$.was.${name}'`)),
    ...applying.map(([name, { sql }]) => {
      const value = `s.value->>'$.if.${name}'`;
      return `(${value} IS NULL OR ${sql(value)})`;
    }),
    ...(changes.some(({ requires }) => requires !== undefined) ? [requirementOf(table, keys)] : []),
    ...(item === undefined ? [] : [item.isPending]),
  ];
  const current = creates ? "" : `CROSS JOIN ${table} c ON c.${keys.id} = s.value->>'id'`;
  return `FROM (SELECT ?3 AS caps) p CROSS JOIN workspaces w CROSS JOIN ${parsed} ${current}
    WHERE ${tests.join(" AND ")}`;
}

/** Returns SQL for whether the row that a change requires has the version. */
const requirementOf = (table: string, keys: ResourceKind<never>["keys"]): string =>
  `(s.value->>'$.requires.id' IS NULL OR EXISTS (SELECT 1 FROM ${table} o
     WHERE o.${keys.id} = s.value->>'$.requires.id' AND o.${keys.workspaceId} = w.id
       AND o.${keys.version} = s.value->>'$.requires.version'))`;

/** The changes. They are parsed once: json_each would write and parse a change again for each of its values. */
const parsed = "(SELECT key, jsonb(value) AS value FROM json_each(?1) LIMIT -1) s";

/** SQL of what a change leaves in the outbox. */
interface Log {
  /** The values of its row. */
  readonly values: string;
  /** Whether there is room for it. */
  readonly fits: string;
}

/** Values that the event's data has are in the history only once. What only admins change has room of its own. */
function logOf<Row extends ResourceRow>(changes: readonly Change<Row>[]): Log {
  const guarded = changes.some(({ history }) => isGuarded(history.object.kind));
  const entry = guarded ? "s.value->'history'" : fittedEntry("(s.value->'history')");
  return {
    values: `s.value->>'event', w.id, iif(w.has_webhooks, coalesce(s.value->>'kind', ''), ''),
  iif(s.value->'data' IS NOT NULL AND (w.has_webhooks OR (${valuesFit} AND s.value->'$.history.changes' IS NULL)),
    s.value->'data', '{}'), ${entry}, s.value->>'at'`,
    fits: guarded ? guardedFit : changeFits,
  };
}

const insertOutbox = "INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)";

/** The events come after the new rows, because a full workspace leaves out the rows that don't fit. */
function insertStatements<Row extends ResourceRow>(
  { table, keys }: ResourceKind<Row>,
  columns: readonly ResourceColumn<Row>[],
  applicable: string,
  log: Log,
  item: ChangeItem | undefined,
): ChangeStatement[] {
  const names = columns.map(({ name }) => name);
  return [
    {
      reads: "set",
      sql: `INSERT INTO ${table} (${names.join(", ")})
        SELECT ${names.map((name) => `s.value->>'$.new.${name}'`).join(", ")} ${applicable} RETURNING ${keys.id} AS id`,
    },
    {
      reads: "log",
      sql: `${insertOutbox}
        SELECT ${log.values} FROM workspaces w CROSS JOIN ${parsed}
          CROSS JOIN ${table} c ON c.${keys.id} = s.value->>'id'
        WHERE w.id = ?2 AND ?3 IS NOT NULL AND c.${keys.workspaceId} = w.id AND ${log.fits} AND ${item?.isPending ?? "true"}`,
    },
  ];
}

/** The items and the events come before the changed rows, so that all see the versions before. */
function updateStatements<Row extends ResourceRow>(
  { table, keys, isRemoved }: ResourceKind<Row>,
  columns: readonly ResourceColumn<Row>[],
  applicable: string,
  log: Log,
  item: ChangeItem | undefined,
): ChangeStatement[] {
  const isRemoval = isRemoved && columns.some(({ key }) => key === "deletedAt");
  return [
    ...(item?.mark === undefined ? [] : [{ reads: "where" as const, sql: item.mark(applicable) }]),
    { reads: "log", sql: `${insertOutbox} SELECT ${log.values} ${applicable} AND ${log.fits}` },
    {
      reads: "set",
      sql: isRemoval
        ? `DELETE FROM ${table} WHERE rowid IN (SELECT c.rowid ${applicable}) RETURNING ${keys.id} AS id`
        : `WITH stored AS MATERIALIZED (SELECT c.rowid AS stored_id, s.value AS change ${applicable})
           UPDATE ${table} AS c SET ${columns.map(({ name }) => `${name} = change->>'$.new.${name}'`).join(", ")}
           FROM stored WHERE c.rowid = stored_id RETURNING ${keys.id} AS id`,
    },
  ];
}
