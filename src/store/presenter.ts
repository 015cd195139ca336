/** A field of a resource: how it is computed from a row in TypeScript, and in SQL. */
export interface Field<Row, Value> {
  /** @param origin the service's scan origin */
  read(row: Row, origin: string): Value;
  /** @param alias the table's alias; @param origin SQL for the scan origin */
  sql(alias: string, origin: string): string;
}

/** Turns rows into a resource of the API: in TypeScript, and in SQL statements that write events. */
export interface Presenter<Row, Resource> {
  present(row: Row, origin: string): Resource;
  /** An SQL expression for the resource as JSON. @param origin SQL for the scan origin */
  json(alias: string, origin?: string): string;
}

/** D1 takes 32 arguments of a function: the object, and two for each field. */
const fieldsPerCall = 15;

/** A presenter for a resource whose fields are each described once. */
export function presenter<Row, Resource extends object>(
  fields: {
    [Name in keyof Required<Resource>]: Field<Row, Resource[Name]>;
  },
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

/** A field with a column's unchanged value. @param name the column's name in SQL */
export const column = <Key extends string>(key: Key, name: string) => ({
  read: <Value>(row: { readonly [K in Key]: Value }): Value => row[key],
  sql: (alias: string) => `${alias}.${name}`,
});

/** A field with the value of a JSON column. */
export const jsonColumn = <Key extends string>(key: Key, name: string) => ({
  ...column(key, name),
  sql: (alias: string) => `json(${alias}.${name})`,
});

/** A time: epoch milliseconds in the row, ISO 8601 in the resource. */
export const timeColumn = <Key extends string>(key: Key, name: string) => ({
  read: (row: { readonly [K in Key]: number }): string => new Date(row[key]).toISOString(),
  sql: (alias: string) => isoTimeSql(`${alias}.${name}`),
});

/** A time that may be null. */
export const optionalTimeColumn = <Key extends string>(key: Key, name: string) => ({
  read(row: { readonly [K in Key]: number | null }): string | null {
    const time = row[key];
    return time === null ? null : new Date(time).toISOString();
  },
  sql: (alias: string) => isoTimeSql(`${alias}.${name}`),
});

/** SQL that formats epoch milliseconds as `Date.toISOString` does; NULL for NULL. */
const isoTimeSql = (value: string) =>
  `strftime('%Y-%m-%dT%H:%M:%S', ${value} / 1000, 'unixepoch') || printf('.%03dZ', ${value} % 1000)`;
