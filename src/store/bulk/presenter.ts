import { type Column, getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { isoTime } from "../../lib/time/iso-time.ts";

/** A field of a resource: how to compute it from a row, in TypeScript and in SQL. */
export interface Field<Row, Value> {
  /** @param origin the service's scan origin */
  read(row: Row, origin: string): Value;
  /** @param alias the table's alias; @param origin SQL for the scan origin */
  sql(alias: string, origin: string): string;
}

/** Turns rows into the API's resources: in TypeScript, and in SQL statements that write events. */
export interface Presenter<Row, Resource> {
  present(row: Row, origin: string): Resource;
  /** Returns an SQL expression for the resource as JSON. @param origin SQL for the scan origin */
  json(alias: string, origin?: string): string;
}

/** D1 allows 32 arguments per function: the object, and two for each field. */
const fieldsPerCall = 15;

/** Each field of a resource. */
export type Fields<Row, Resource> = { [Name in keyof Required<Resource>]: Field<Row, Resource[Name]> };

/** Creates a presenter from the description of each field. */
export function presenter<Row, Resource extends object>(
  fields: Fields<Row, Resource>,
): Presenter<Row, Resource> {
  const entries = Object.entries<Field<Row, unknown>>(fields);
  return {
    present(row, origin) {
      const resource: Record<string, unknown> = {};
      for (const [name, field] of entries) resource[name] = field.read(row, origin);
      return resource as Resource;
    },
    json(alias, origin = "''") {
      let json = "json_object()";
      for (let from = 0; from < entries.length; from += fieldsPerCall) {
        const fields = entries.slice(from, from + fieldsPerCall);
        const values = fields.map(([name, field]) => `'$.${name}', ${field.sql(alias, origin)}`);
        json = `json_set(${json}, ${values.join(", ")})`;
      }
      return json;
    },
  };
}

/** A time that may be null, in ISO 8601. */
type ShownTime<Time> = Time extends number ? string : null;

/** Creates the fields that show a table's columns. */
export function tableFields<Table extends SQLiteTable>(table: Table) {
  type Row = Table["$inferSelect"];
  const columns = getTableColumns(table);
  const sqlOf = (key: string, alias: string) => {
    const { name, dataType } = columns[key] as Column;
    return { value: `${alias}.${name}`, isJson: dataType === "json" };
  };
  return {
    /** A column's unchanged value. */
    value: <Key extends keyof Row & string>(key: Key): Field<Row, Row[Key]> => ({
      read: (row) => row[key],
      sql(alias) {
        const { value, isJson } = sqlOf(key, alias);
        return isJson ? `json(${value})` : value;
      },
    }),
    /** A time: epoch milliseconds in the row, ISO 8601 in the resource. */
    time: <Key extends keyof Row & string>(key: Key): Field<Row, ShownTime<Row[Key]>> => ({
      read: (row) => isoTime(row[key]) as ShownTime<Row[Key]>,
      sql: (alias) => isoTimeSql(sqlOf(key, alias).value),
    }),
  };
}

/** Returns SQL that formats epoch milliseconds like `Date.toISOString`; NULL for NULL. */
const isoTimeSql = (value: string) =>
  `strftime('%Y-%m-%dT%H:%M:%S', ${value} / 1000, 'unixepoch') || printf('.%03dZ', ${value} % 1000)`;
