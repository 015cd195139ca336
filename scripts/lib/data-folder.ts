import { existsSync, mkdirSync, readdirSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Failure } from "./failure.ts";
import { migratedDatabase, migrationNames, migrationsTable, objectsSql, standingOf } from "./schema.ts";

/** SQLite's code for a database that another process has locked. */
const busy = 5;

/**
 * Reserves a folder of local data for this process, until the lock is closed. It is an operating system lock, on a file
 * that contains the process id, so it ends with the process, however that ends. There are no stale locks.
 * @throws Failure if another process has reserved it, or nothing can be written there
 */
export function lockDataFolder(folder: string): DatabaseSync {
  const lock = openLock(folder);
  try {
    lock.exec(`PRAGMA user_version = ${process.pid}; BEGIN IMMEDIATE`);
    return lock;
  } catch (error) {
    if (!(error instanceof Error && "errcode" in error && error.errcode === busy)) {
      throw notWritable(folder, error);
    }
    const owner = lock.prepare("PRAGMA user_version").get()?.user_version;
    throw new Failure(
      `The data in ${folder} is in use by process ${owner}. Stop that, or keep other data: --persist-to DIR`,
    );
  }
}

function openLock(folder: string): DatabaseSync {
  try {
    makeFolder(folder);
    return new DatabaseSync(join(folder, "dev.lock"));
  } catch (error) {
    throw notWritable(folder, error);
  }
}

/** Makes a folder and those above it. Node's own recursion never ends in `/proc`, whose folders can't be made. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

const notWritable = (folder: string, cause: unknown): Failure =>
  new Failure(
    `Nothing can be written to ${folder} (${cause instanceof Error ? cause.message : String(cause)}). ` +
      "Choose another folder: --persist-to DIR",
  );

/** Bytes that must be free for a start: some times what a new folder takes. */
const room = 16 * 1024 * 1024;

/** Checks that there is room to start, because SQLite ends a start on a full disk with a trace. @throws Failure if not */
export function requireRoom(folder: string, least = room): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= least) return;
  const inMegabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)} MB`;
  throw new Failure(
    `The disk of ${folder} is full: ${inMegabytes(free)} are free, ${inMegabytes(least)} are needed. ` +
      "Make room, or choose another folder: --persist-to DIR",
  );
}

/**
 * Checks that the local database was created by migrations of this checkout, so that the missing ones can be applied.
 * Other migrations, even with the same names, may have created other tables.
 * @throws Failure if it was not
 */
export function requireKnownData(folder: string, migrationsFolder: string): void {
  const databases = join(folder, "v3/d1/miniflare-D1DatabaseObject");
  const files = filesIn(databases).filter((file) => file.endsWith(".sqlite") && file !== "metadata.sqlite");
  const migrations = migrationNames(migrationsFolder);
  for (const file of files) {
    using database = new DatabaseSync(join(databases, file), { readOnly: true });
    const applied = appliedMigrations(database);
    const { applied: count } = standingOf(applied, migrations);
    using expected = migratedDatabase(count ?? 0, migrationsFolder);
    if (count !== null && schemaOf(database) === schemaOf(expected)) continue;
    throw new Failure(
      `The data in ${folder} was written by another version of the service, which this one can't bring up to date. ` +
        "Start over with --reset, which deletes it, or keep it and use another folder: --persist-to DIR",
    );
  }
}

/** How often the folder of migrations is read, because not every file system announces changes. */
const pollMilliseconds = 500;

/**
 * Calls back with migrations that are added to a folder, which the database of a running service lacks.
 * @returns what ends it
 */
export function onNewMigrations(folder: string, onAdded: (names: readonly string[]) => void): Disposable {
  const known = new Set(migrationNames(folder));
  const timer = setInterval(() => {
    const added = migrationNames(folder).filter((name) => !known.has(name));
    for (const name of added) known.add(name);
    if (added.length > 0) onAdded(added);
  }, pollMilliseconds);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns the files in a folder by name; none if the folder doesn't exist. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function appliedMigrations(database: DatabaseSync): string[] {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(migrationsTable);
  if (table === undefined) return [];
  return database
    .prepare(`SELECT name FROM ${migrationsTable} ORDER BY id`)
    .all()
    .map(({ name }) => String(name));
}

/** Returns the tables, indexes and triggers of a database as text. */
const schemaOf = (database: DatabaseSync): string => JSON.stringify(database.prepare(objectsSql).all());
