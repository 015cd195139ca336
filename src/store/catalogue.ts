import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as schema from "./schema.ts";

/** Drizzle over the catalogue's binding. */
export function catalogue(db: D1Database) {
  return drizzle(db, { schema });
}

export type Catalogue = ReturnType<typeof catalogue>;

/** A drizzle query as a D1 statement, for batches that hold hand-written SQL too. */
export function prepared(
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
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at.message.includes("UNIQUE constraint failed") && at.message.includes(column)) return true;
  }
  return false;
}
