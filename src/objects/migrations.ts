/** The storage key of the number of migrations that an object has run. */
const versionKey = "schema_version";

/**
 * Brings an object's tables up to date: runs the migrations it has not run yet, in order, in one transaction. Call it
 * in the constructor, before any other use of the storage. Released migrations never change; new ones are appended.
 * @param migrations SQL, one entry per schema version
 * @throws if the storage was written by a newer release
 */
export function migrateObject(storage: DurableObjectStorage, migrations: readonly string[]): void {
  const current = storage.kv.get<number>(versionKey) ?? 0;
  if (current === migrations.length) return;
  if (current > migrations.length) {
    throw new Error(`schema version ${current} is newer than this release's ${migrations.length}`);
  }
  storage.transactionSync(() => {
    for (const sql of migrations.slice(current)) storage.sql.exec(sql);
    storage.kv.put(versionKey, migrations.length);
  });
}
