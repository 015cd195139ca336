import { type GetColumnData, getTableColumns, getTableName } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";

/** Translates between a table's rows and plain SQL. */
export interface RowReader<Row> {
  /**
   * Returns the table's columns for a SELECT.
   * @param alias of the table
   * @param values SQL by column, to select instead of the row's own value
   */
  columns(alias: string, values?: Readonly<Record<string, string>>): string;
  /** Returns a row with the names and types of the schema. @param result of such a SELECT */
  read(result: Record<string, unknown>): Row;
}

/**
 * Creates a reader for the queries that most requests run. Drizzle would rebuild their SQL for every request and map
 * every column through several functions, which takes as long as the query itself.
 * @param derived values of a row that the table doesn't have: returns the SQL of each, given the table's alias
 */
export function rowReader<Table extends SQLiteTable, Derived = unknown>(
  table: Table,
  derived: { readonly [Key in keyof Derived]: (alias: string) => string } = {} as never,
): RowReader<Table["$inferSelect"] & Derived> {
  const columns = Object.entries(getTableColumns(table));
  const others = Object.entries<(alias: string) => string>(derived);
  return {
    columns: (alias, values = {}) =>
      [
        ...columns.map(([, { name }]) =>
          values[name] === undefined ? `${alias}.${name}` : `${values[name]} AS ${name}`,
        ),
        ...others.map(([key, sql]) => `${sql(alias)} AS ${key}`),
      ].join(", "),
    read(result) {
      const row: Record<string, unknown> = {};
      for (const [key] of others) row[key] = result[key] ?? null;
      for (const [key, column] of columns) row[key] = columnValue(column, result[column.name]);
      return row as Table["$inferSelect"] & Derived;
    },
  };
}

/** Translates between columns of several tables and plain SQL. */
interface JoinReader<Columns extends Readonly<Record<string, SQLiteColumn>>> {
  /** The columns for a SELECT, each under its key. */
  readonly columns: string;
  /** Returns a row with the types of the schema. @param result of such a SELECT */
  read(result: Record<string, unknown>): { [Key in keyof Columns]: GetColumnData<Columns[Key]> };
}

/** Creates a reader of columns by the keys that their values have in a row, for the reason of `rowReader`. */
export function joinReader<Columns extends Readonly<Record<string, SQLiteColumn>>>(
  selected: Columns,
): JoinReader<Columns> {
  const columns = Object.entries(selected);
  return {
    columns: columns.map(([key, { table, name }]) => `${getTableName(table)}.${name} AS ${key}`).join(", "),
    read: (result) =>
      Object.fromEntries(
        columns.map(([key, column]) => [key, columnValue(column, result[key])]),
      ) as ReturnType<JoinReader<Columns>["read"]>,
  };
}

/** Returns a column's value with its type in the schema. */
const columnValue = (column: Pick<SQLiteColumn, "mapFromDriverValue">, stored: unknown): unknown =>
  stored === undefined || stored === null ? null : column.mapFromDriverValue(stored);
