import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";

export type Catalogue = ReturnType<typeof drizzle>;

/** Cached per binding, because creating a drizzle instance costs more than a query. */
const catalogues = new WeakMap<D1Database, Catalogue>();

/** Returns the drizzle instance for the catalogue's binding. */
export function catalogue(db: D1Database): Catalogue {
  const existing = catalogues.get(db);
  if (existing !== undefined) return existing;
  const created = drizzle(db);
  catalogues.set(db, created);
  return created;
}

/** A statement in plain SQL, or a query of drizzle. */
type Statement = D1PreparedStatement | { toSQL(): { sql: string; params: unknown[] } };

function prepared(db: D1Database, statement: Statement): D1PreparedStatement {
  if (!("toSQL" in statement)) return statement;
  const { sql, params } = statement.toSQL();
  return db.prepare(sql).bind(...params);
}

/**
 * Runs a statement that returns the row it changes, and the statements after it, in one transaction.
 * @returns whether it changed a row
 */
export async function isChangedBy(
  db: D1Database,
  statement: Statement,
  ...following: readonly D1PreparedStatement[]
): Promise<boolean> {
  const [changed] = await db.batch([prepared(db, statement), ...following]);
  return changed?.results.length === 1;
}

/** Returns the condition that a column has one of `values`, which take a single parameter however many they are. */
export const isAmong = (column: SQLWrapper, values: readonly string[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/**
 * Returns the condition that a workspace is not suspended, so that resources may be created in it.
 * @param workspace SQL for its id
 */
export const isNotSuspended = (workspace: string): string =>
  `EXISTS (SELECT 1 FROM workspaces WHERE id = ${workspace} AND suspended IS NULL)`;

/** Sorts after every id, since ids begin with a hex digit. A list that starts with its newest item begins after it. */
export const afterNewest = "g";
