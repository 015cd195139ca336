import { chunksBySize } from "../../lib/chunks.ts";
import { changeFits, fittedEntry, valuesFit } from "../history.ts";
import type { ResourceColumn, ResourceKind, ResourceRow, Step } from "./kind.ts";

/** Options for storing steps. */
export interface StepsOptions {
  /** The caps of the workspace's plan that apply to creating and restoring, by the names that the conditions use. */
  readonly caps?: Readonly<Record<string, number | null>>;
  /** The item of a bulk job that each step is for. */
  readonly item?: StepItem;
  /** Statements that come last in the transaction. */
  readonly after?: readonly D1PreparedStatement[];
}

/** How the steps of a bulk job are bound to its items. In the SQL, `s.value` is a step as JSON. */
export interface StepItem {
  /** SQL: the condition that the item still waits for its step. Its parameters begin with ?4. */
  readonly isPending: string;
  /** Returns the SQL of a statement that marks the items. @param stored SQL of a FROM clause, for the steps that will be stored */
  mark?(stored: string): string;
  readonly values: readonly (string | number)[];
}

/** The outcome of storing steps. */
export interface StoredSteps {
  /** The ids of the resources whose steps were stored. */
  readonly ids: ReadonlySet<string>;
  /** The results of the statements that came last. */
  readonly results: readonly D1Result<Record<string, unknown>>[];
}

/** The length of one JSON parameter, in characters. A character can be three bytes, and D1 allows 2 MB. */
const maxPortionLength = 500_000;

/**
 * Stores steps of one kind, each with its event and its entry, in one transaction. They are either all creations or all
 * changes, and no two are of the same resource. A step is stored only if its resource still has the version that it was
 * computed from, and if it meets the conditions of its kind; the others are left out.
 * @throws if a unique value already exists (see isUniqueViolation), or the workspace is full (see isStorageFull)
 */
export async function storeSteps<Row extends ResourceRow>(
  db: D1Database,
  kind: ResourceKind<Row>,
  workspaceId: string,
  steps: readonly Step<Row>[],
  { caps = {}, item, after = [] }: StepsOptions = {},
): Promise<StoredSteps> {
  const creates = steps.every(({ before }) => before === null);
  const columns = columnsSet(kind, steps, creates);
  const stepped = steppedRows(kind, steps, creates, item);
  const statements = creates
    ? creationOf(kind, columns, stepped, item)
    : changesOf(kind, columns, stepped, item);
  const json = steps.map((step) => stepAsJson(kind, step, columns));
  const length = ({ place, values, report }: StepJson) => place.length + values.length + report.length;
  // Where a step needs the version that another makes, they are stored one after the other.
  const most = steps.some(({ together }) => together !== undefined) ? 1 : maxPortionLength;
  const batch = [...chunksBySize(json, most, length)].flatMap((portion) =>
    statements.map(({ sql, reads }) => {
      const portionJson = `[${portion.map((step) => step[reads]).join(",")}]`;
      return db.prepare(sql).bind(portionJson, workspaceId, JSON.stringify(caps), ...(item?.values ?? []));
    }),
  );
  const following = steps.flatMap((step) => kind.following?.(db, step) ?? []);
  const results = await db.batch<Record<string, unknown>>([...batch, ...following, ...after]);
  // Only the statements that write the rows return ids.
  const written = results.slice(0, batch.length).flatMap((result) => result.results);
  return {
    ids: new Set(written.map(({ id }) => String(id))),
    results: results.slice(batch.length + following.length),
  };
}

/** A step as JSON: where it applies and under which conditions, and the same with its values, or with its event and entry. */
type StepJson = Readonly<Record<"place" | "values" | "report", string>>;

/** A statement, and what it reads of each step. */
interface StepStatement {
  readonly sql: string;
  readonly reads: keyof StepJson;
}

/** Returns the columns that steps set. New rows needn't set those that are null in all of them. */
function columnsSet<Row extends ResourceRow>(
  { columns }: ResourceKind<Row>,
  steps: readonly Step<Row>[],
  creates: boolean,
): readonly ResourceColumn<Row>[] {
  return creates
    ? columns.filter(({ key }) => steps.some(({ after }) => after[key] !== null))
    : [...new Set(steps.flatMap((step) => step.columns))];
}

function stepAsJson<Row extends ResourceRow>(
  kind: ResourceKind<Row>,
  step: Step<Row>,
  columns: readonly ResourceColumn<Row>[],
): StepJson {
  const { before, after, id, at, event, history, row } = step;
  const valuesOf = (some: readonly ResourceColumn<Row>[], of: Row) =>
    Object.fromEntries(some.map(({ key, name, toSql }) => [name, toSql(of[key])]));
  const tested = Object.entries(kind.conditions).map(([name, { of }]) => [name, of(step)]);
  const place = {
    ...{ id: after.id, row, at, if: Object.fromEntries(tested) },
    ...(before !== null && { version: before.version, was: valuesOf(kind.compared, before) }),
  };
  return {
    place: JSON.stringify(place),
    values: JSON.stringify({ ...place, new: valuesOf(columns, after) }),
    report: JSON.stringify({ ...place, event: id, kind: event?.kind, data: event?.data, history }),
  };
}

/** Returns SQL of a FROM clause for the steps that may be stored. */
function steppedRows<Row extends ResourceRow>(
  { table, conditions, compared }: ResourceKind<Row>,
  steps: readonly Step<Row>[],
  creates: boolean,
  item: StepItem | undefined,
): string {
  const applying = Object.entries(conditions).filter(([, { of }]) => steps.some((step) => of(step) != null));
  const tests = [
    "w.id = ?2",
    creates
      ? `NOT EXISTS (SELECT 1 FROM ${table} WHERE id = s.value->>'id')`
      : "c.workspace_id = w.id AND c.version = s.value->>'version'",
    ...(creates ? [] : compared.map(({ name }) => `c.${name} IS s.value->>'$.was.${name}'`)),
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

/** The steps. They are parsed once: json_each would write and parse a step again for each of its values. */
const parsed = "(SELECT key, jsonb(value) AS value FROM json_each(?1) LIMIT -1) s";

/** The columns of a step's row in the outbox. Values that the event's data has are in the history only once. */
const outboxColumns = `s.value->>'event', w.id, iif(w.has_webhooks, coalesce(s.value->>'kind', ''), ''),
  iif(s.value->'data' IS NOT NULL AND (w.has_webhooks OR (${valuesFit} AND s.value->'$.history.changes' IS NULL)),
    s.value->'data', '{}'), ${fittedEntry("(s.value->'history')")}, s.value->>'at'`;

const insertOutbox = "INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)";

/** The events come after the new rows, because a full workspace leaves out the rows that don't fit. */
function creationOf<Row extends ResourceRow>(
  { table }: ResourceKind<Row>,
  columns: readonly ResourceColumn<Row>[],
  stepped: string,
  item: StepItem | undefined,
): StepStatement[] {
  const names = columns.map(({ name }) => name);
  return [
    {
      reads: "values",
      sql: `INSERT INTO ${table} (${names.join(", ")})
        SELECT ${names.map((name) => `s.value->>'$.new.${name}'`).join(", ")} ${stepped} RETURNING id`,
    },
    {
      reads: "report",
      sql: `${insertOutbox}
        SELECT ${outboxColumns} FROM workspaces w CROSS JOIN ${parsed} CROSS JOIN ${table} c ON c.id = s.value->>'id'
        WHERE w.id = ?2 AND ?3 IS NOT NULL AND c.workspace_id = w.id AND ${changeFits} AND ${item?.isPending ?? "true"}`,
    },
  ];
}

/** The items and the events come before the changed rows, so that all see the versions before. */
function changesOf<Row extends ResourceRow>(
  { table }: ResourceKind<Row>,
  columns: readonly ResourceColumn<Row>[],
  stepped: string,
  item: StepItem | undefined,
): StepStatement[] {
  return [
    ...(item?.mark === undefined ? [] : [{ reads: "place" as const, sql: item.mark(stepped) }]),
    { reads: "report", sql: `${insertOutbox} SELECT ${outboxColumns} ${stepped} AND ${changeFits}` },
    {
      reads: "values",
      sql: `WITH stored AS MATERIALIZED (SELECT c.id AS stored_id, s.value AS step ${stepped})
        UPDATE ${table} AS c SET ${columns.map(({ name }) => `${name} = step->>'$.new.${name}'`).join(", ")}
        FROM stored WHERE c.id = stored_id RETURNING id`,
    },
  ];
}
