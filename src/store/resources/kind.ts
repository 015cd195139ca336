import { type Column, getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { sameJson } from "../../lib/text/json.ts";
import type { QrEvent } from "../../protocol/events.ts";
import type { NewEntry } from "../../protocol/history.ts";
import { type RowReader, rowReader } from "../rows.ts";

/** The columns that every resource has. */
export interface ResourceRow {
  readonly id: string;
  readonly workspaceId: string;
  /** Incremented by every change, so that a change of an older version is noticed. */
  readonly version: number;
  /** Epoch milliseconds; null for a resource that isn't deleted. */
  readonly deletedAt: number | null;
  /** Set while the operator has it suspended. Folders and templates can't be. */
  readonly suspended?: object | null;
}

/** A version of a row. */
export type RowVersion = Pick<ResourceRow, "id" | "version">;

/** How the service uses a column, besides reading and storing it. */
export interface Use {
  /** Whether scans depend on it, so that changes are published. */
  readonly route?: true;
  /** Whether its length counts towards the workspace's storage. */
  readonly counted?: true;
  /** Its value in a new row that doesn't set it; null by default. */
  readonly initial?: string;
  /** Its value in a tombstone; `kept` leaves it as it is. */
  readonly erased?: null | "{}" | "[]" | "off" | "kept";
  /** How the resource shows it: unchanged, as an ISO 8601 time, or as a list that is empty for null. */
  readonly shown?: "value" | "time" | "list";
  /** Its name among the fields of events and the history, if different; null if changes aren't reported. */
  readonly reported?: string | null;
}

/** A column with its names. */
export interface ResourceColumn<Row> extends Use {
  readonly key: keyof Row & string;
  /** In SQL. */
  readonly name: string;
  readonly isJson: boolean;
  /** Converts a value to the form in which the database stores it. */
  toSql(value: unknown): unknown;
}

/** A new resource, or the next version of one, with the event that reports it and its entry in the history. */
export interface Change<Row> {
  /** Null for a new resource. */
  readonly before: Row | null;
  readonly after: Row;
  /** The columns that it sets: those that differ, or all of a new resource. */
  readonly columns: readonly ResourceColumn<Row>[];
  /** The id of the event and the entry, a UUIDv7, and its time, epoch milliseconds. */
  readonly id: string;
  readonly at: number;
  /** Null where none is sent. */
  readonly event: Pick<QrEvent, "kind" | "data"> | null;
  /** Without changes if the event's data has them all, as of a new code. */
  readonly history: Omit<NewEntry, "changes"> & Partial<Pick<NewEntry, "changes">>;
  /** The row of the bulk job that the change is for. */
  readonly row?: number;
  /** Another row of the kind, and the version that it must have at the change's turn. So changes of a batch depend on each other. */
  readonly requires?: RowVersion;
}

/**
 * A condition that only the database can judge at the moment of storing. In its SQL, `w` is the workspace, `p.caps` the
 * caps of its plan as JSON, `s.key` how many changes of the batch come before, and `c` the row before, if there is one.
 */
export interface Condition<Row> {
  /** Returns the value that a change is tested with; null or undefined if the condition doesn't apply to it. */
  of(change: Change<Row>): string | number | null | undefined;
  /** @param value SQL for that value */
  sql(value: string): string;
}

/** A kind of resource, as the store knows it. */
export interface ResourceKind<Row> {
  /** In SQL. */
  readonly table: string;
  /** The columns that identify a row and its version, in SQL. */
  readonly keys: Readonly<Record<"id" | "workspaceId" | "version", string>>;
  /** Whether its rows are removed by a deletion: the table has no time of it. */
  readonly isRemoved: boolean;
  readonly rows: RowReader<Row>;
  readonly columns: readonly ResourceColumn<Row>[];
  readonly conditions: Readonly<Record<string, Condition<Row>>>;
  /** SQL for the key under which changes of the row `c` are published; null for a kind that isn't. */
  readonly publicationKey: string | null;
  /** Columns whose values before a change must be unchanged, too, since released versions don't raise the version. */
  readonly checkedColumns: readonly ResourceColumn<Row>[];
  /** Returns statements that follow from a change. They come after it in its batch, and are harmless if it wasn't stored. */
  sideEffects?(db: D1Database, change: Change<Row>): readonly D1PreparedStatement[];
}

/** The properties of a kind besides those that follow from its table. */
interface KindOptions<Row>
  extends Partial<
    Omit<ResourceKind<Row>, "table" | "keys" | "isRemoved" | "rows" | "columns" | "checkedColumns">
  > {
  readonly checkedColumns?: readonly (keyof Row & string)[];
}

/**
 * Describes a kind of resource by its table and the use of each column.
 * @param derived values that rows have besides, as in `rowReader`
 */
export function resourceKind<
  Table extends SQLiteTable & { readonly $inferSelect: Omit<ResourceRow, "deletedAt"> },
  Derived = unknown,
>(
  table: Table,
  uses: { readonly [Key in keyof Table["$inferSelect"]]: Use },
  options: KindOptions<Table["$inferSelect"] & Derived>,
  derived?: { readonly [Key in keyof Derived]: (alias: string) => string },
): ResourceKind<Table["$inferSelect"] & Derived> {
  const { conditions = {}, publicationKey = null, checkedColumns = [], ...others } = options;
  type Row = Table["$inferSelect"] & Derived;
  const described: Readonly<Record<string, Column>> = getTableColumns(table);
  const columns = Object.entries<Use>(uses).flatMap(([key, use]): ResourceColumn<Row>[] => {
    const column = described[key];
    if (column === undefined) return [];
    return [
      {
        ...use,
        key: key as keyof Row & string,
        name: column.name,
        isJson: column.dataType === "json",
        toSql: (value) => (value === null ? null : column.mapToDriverValue(value)),
      },
    ];
  });
  const isRemoved = described.deletedAt === undefined;
  const nameOf = (key: keyof ResourceKind<Row>["keys"]) => described[key]?.name ?? key;
  return {
    table: getTableName(table),
    keys: { id: nameOf("id"), workspaceId: nameOf("workspaceId"), version: nameOf("version") },
    isRemoved,
    rows: rowReader<Table, Derived>(table, derived),
    // A deletion is a change of this value, as in tables that have it.
    columns: isRemoved
      ? [
          ...columns,
          { key: "deletedAt" as keyof Row & string, name: "deleted_at", isJson: false, toSql: (at) => at },
        ]
      : columns,
    conditions,
    publicationKey,
    checkedColumns: columns.filter(({ key }) => checkedColumns.includes(key)),
    ...others,
  };
}

/** A row of a table that has no time of deletion. A change that sets it removes the row. */
export type Removable<Row> = Row & Pick<ResourceRow, "deletedAt">;

/**
 * Describes a kind of resource whose rows are removed by a deletion, and whose columns have no special use.
 * @param derived values that rows have besides, as in `rowReader`
 */
export function removableKind<
  Table extends SQLiteTable & { readonly $inferSelect: Omit<ResourceRow, "deletedAt"> },
  Derived = unknown,
>(
  table: Table,
  options: KindOptions<Removable<Table["$inferSelect"] & Derived>>,
  derived: { readonly [Key in keyof Derived]: (alias: string) => string } = {} as never,
): ResourceKind<Removable<Table["$inferSelect"] & Derived>> {
  const uses = Object.fromEntries(Object.keys(getTableColumns(table)).map((key): [string, Use] => [key, {}]));
  return resourceKind<Table, Removable<Derived>>(table, uses as never, options, {
    ...derived,
    deletedAt: () => "NULL",
  } as never);
}

/**
 * Returns the condition that a workspace may have another row of a table: it isn't suspended, and those that count are
 * fewer than the cap of the table's name.
 * @param counted SQL: which rows count
 * @param restored how many of the counted rows a restoration adds
 */
export const roomFor = <Row extends ResourceRow>(
  table: string,
  counted = "deleted_at IS NULL",
  restored: 0 | 1 = 1,
): Condition<Row> => ({
  of: (change) => (isAddition(change) ? (change.before === null ? 1 : restored) : undefined),
  sql: (added) => `(w.suspended IS NULL AND s.key + ${added} +
    (SELECT count(*) FROM ${table} WHERE workspace_id = w.id AND ${counted}) <= p.caps->>'${table}')`,
});

/** Returns the columns in which two rows differ. */
export const differingColumns = <Row>(
  { columns }: Pick<ResourceKind<Row>, "columns">,
  before: Row,
  after: Row,
): ResourceColumn<Row>[] => columns.filter(({ key }) => !sameJson(before[key], after[key]));

/** Returns whether a change adds a resource: creates or restores it. */
export const isAddition = <Row extends ResourceRow>({ before, after }: Change<Row>): boolean =>
  after.deletedAt === null && (before === null || before.deletedAt !== null);

/** Returns whether a change gives a column a new value. */
export const isSet = <Row>({ columns }: Pick<Change<Row>, "columns">, key: keyof Row): boolean =>
  columns.some((column) => column.key === key);
