import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Failure } from "./failure.ts";
import { root } from "./wrangler.ts";

export type Row = Readonly<Record<string, unknown>>;
/** Runs a SELECT. */
export type Query = (sql: string) => Promise<readonly Row[]>;

/** The schema that migrations have left in a database. */
export interface Schema {
  /** The names of applied migrations, in order. */
  readonly applied: readonly string[];
  /** Its tables, indexes and triggers, as "table workspaces". */
  readonly objects: readonly string[];
}

/** The table where wrangler records applied migrations. */
export const migrationsTable = "d1_migrations";

/** Selects the tables, indexes and triggers, without those of SQLite, D1 and wrangler. */
export const objectsSql = `SELECT type, name, sql FROM sqlite_schema
  WHERE tbl_name <> '${migrationsTable}' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_'
  ORDER BY type, name`;

const appliedSql = `SELECT name FROM ${migrationsTable} ORDER BY id`;

/** Reads a deployed database. */
export async function readSchema(query: Query): Promise<Schema> {
  const [recorded] = await query(`SELECT 1 FROM sqlite_schema WHERE name = '${migrationsTable}'`);
  const applied = recorded === undefined ? [] : await query(appliedSql);
  return {
    applied: applied.map(({ name }) => String(name)),
    objects: (await query(objectsSql)).map(({ type, name }) => `${type} ${name}`),
  };
}

/** Returns this checkout's migrations in order, by their files' names. */
export const migrationNames = (folder = join(root, "migrations")): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort();

/** Returns a database as this checkout's first migrations leave it. */
export function migratedDatabase(count: number, folder = join(root, "migrations")): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const name of migrationNames(folder).slice(0, count)) {
    database.exec(readFileSync(join(folder, name), "utf8"));
  }
  return database;
}

/** Migrations between releases that were squashed into one. */
const squashed: readonly string[] = [
  "0015_history.sql",
  "0016_sessions.sql",
  "0017_members.sql",
  "0018_restoring.sql",
  "0019_keys_by_people.sql",
  "0020_invitations.sql",
  "0021_leaving.sql",
  "0022_workspace-logo.sql",
];
const squashedInto = "0023_bounds.sql";

/** How a database's migrations compare with this checkout's, by name. */
export interface Standing {
  /** How many of this checkout's migrations it has; null if others were applied to it. */
  readonly applied: number | null;
  /** Whether it has migrations beyond this checkout's. */
  readonly isNewer: boolean;
  /** Whether it has only some of the migrations that were squashed into one. */
  readonly isBetween: boolean;
}

/** Compares the migrations that a database has with those of this checkout, both by name and in order. */
export function standingOf(applied: readonly string[], migrations: readonly string[]): Standing {
  const names = applied.filter((name) => !squashed.includes(name));
  const isBetween = names.length < applied.length && !applied.includes(squashedInto);
  const isKnown = !isBetween && names.every((name, i) => name === migrations[i]);
  return {
    applied: isKnown ? names.length : null,
    isNewer: names.length > migrations.length && migrations.every((name, i) => name === names[i]),
    isBetween,
  };
}

/**
 * Checks that a deployed database was created by migrations of this checkout, so that the missing ones can be applied. Only
 * the names of tables are compared, because D1 may store their SQL in another form.
 * @throws Failure if it was not
 */
export function requireKnownSchema({ applied, objects }: Schema, database: string): void {
  const standing = standingOf(applied, migrationNames());
  using expected = migratedDatabase(standing.applied ?? 0);
  const expectedObjects = expected
    .prepare(objectsSql)
    .all()
    .map(({ type, name }) => `${type} ${name}`);
  if (standing.applied !== null && JSON.stringify(objects) === JSON.stringify(expectedObjects)) return;
  if (standing.isBetween) {
    throw new Failure(`The D1 database ${database} was written between two releases, and only releases can be brought up to date.
Nothing is changed. Keep it with the checkout that wrote it, and install beside it: npm run setup -- --prefix NAME`);
  }
  throw new Failure(
    standing.isNewer
      ? `The D1 database ${database} was migrated by a newer version of the service.
Nothing is changed. Update this checkout: git pull && npm ci
To go back to this version, run in the newest checkout: npm run deploy -- --to VERSION`
      : `The D1 database ${database} was written by a version before 1.0.0, which can't be brought up to date.
Nothing is changed. Keep it with the checkout that wrote it, and install beside it: npm run setup -- --prefix NAME`,
  );
}
