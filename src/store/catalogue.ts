import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";

export type Catalogue = ReturnType<typeof drizzle>;

/** By binding, because creating a drizzle instance costs more than a query. */
const catalogues = new WeakMap<D1Database, Catalogue>();

/** The drizzle instance of the catalogue's binding. */
export function catalogue(db: D1Database): Catalogue {
  const existing = catalogues.get(db);
  if (existing !== undefined) return existing;
  const created = drizzle(db);
  catalogues.set(db, created);
  return created;
}

/** The condition that a column's value is one of `values`. They are one parameter, however many there are. */
export const isAmong = (column: SQLWrapper, values: readonly string[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** The condition that a workspace is not suspended, so that something may be created in it. */
export const isNotSuspended = (workspaceId: string): SQL =>
  sql`EXISTS (SELECT 1 FROM workspaces WHERE id = ${workspaceId} AND suspended IS NULL)`;

/** Follows every id in text order, since ids begin with a hex digit: a list from its newest item begins after it. */
export const afterNewest = "g";
