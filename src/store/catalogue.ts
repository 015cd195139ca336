import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";

export type Catalogue = ReturnType<typeof drizzle>;

/** By binding, because setting drizzle up costs more than a query. */
const catalogues = new WeakMap<D1Database, Catalogue>();

/** Drizzle over the catalogue's binding. */
export function catalogue(db: D1Database): Catalogue {
  const existing = catalogues.get(db);
  if (existing !== undefined) return existing;
  const created = drizzle(db);
  catalogues.set(db, created);
  return created;
}

/** A query that drizzle built as a D1 statement, for batches that also hold hand-written SQL. */
export function statement(
  db: D1Database,
  query: { toSQL(): { sql: string; params: unknown[] } },
): D1PreparedStatement {
  const { sql, params } = query.toSQL();
  return db.prepare(sql).bind(...params);
}

/** A condition: whether a column's value is among these. One parameter, however many they are. */
export const isAmong = (column: SQLWrapper, values: readonly string[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Whether a write failed because `column` (as `table.column`) must be unique. */
export function isTaken(error: unknown, column: string): boolean {
  if (!(error instanceof Error)) return false;
  const { message, cause } = error;
  return (message.includes("UNIQUE constraint failed") && message.includes(column)) || isTaken(cause, column);
}
