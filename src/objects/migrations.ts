/** The storage key of the number of migrations that an object has run. 1.0.0 doesn't write it. */
const countKey = "schema_migrations";

/**
 * The storage key of the schema version: how many of them an older release must know. A release doesn't open an object
 * with a higher version than its own.
 */
const versionKey = "schema_version";

/** One change of an object's tables. Released ones never change; new ones are appended. */
export interface ObjectMigration {
  readonly sql: string;
  /**
   * Whether a release that doesn't know it works with the tables nevertheless, so that one can go back to it: it creates
   * tables, indexes of them, and columns with a default that older statements needn't name. A test runs the older
   * release's statements after any other.
   */
  readonly additive: boolean;
}

/**
 * Brings an object's tables up to date: runs the migrations it has not run yet, in order, in one transaction. Call it
 * in the constructor, before any other use of the storage.
 * @throws if a newer release has changed what exists
 */
export function migrateObject(storage: DurableObjectStorage, migrations: readonly ObjectMigration[]): void {
  const { kv, sql } = storage;
  const version = kv.get<number>(versionKey) ?? 0;
  const count = kv.get<number>(countKey);
  // Without a count, the version has it.
  const applied = count ?? version;
  const known = versionOf(migrations);
  if (count === undefined ? applied > migrations.length : version > known) {
    throw new Error(`schema version ${version} is newer than this release's ${known}`);
  }
  const due = migrations.slice(applied);
  const reached = versionOf(migrations.slice(0, applied));
  if (due.length === 0 && version <= reached) return;
  storage.transactionSync(() => {
    for (const migration of due) sql.exec(migration.sql);
    kv.put(countKey, migrations.length);
    kv.put(versionKey, known);
  });
}

const versionOf = (migrations: readonly ObjectMigration[]): number =>
  migrations.filter(({ additive }) => !additive).length;
