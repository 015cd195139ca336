import { runInDurableObject } from "cloudflare:test";
import type { WorkspaceLedger } from "../../../src/objects/ledger/workspace-ledger.ts";

/** Runs calls of a ledger, and counts SQL statements, reads of the key-value storage, and SQL rows. */
export async function countRows(
  stub: DurableObjectStub<WorkspaceLedger>,
  run: (ledger: WorkspaceLedger) => unknown,
): Promise<{ statements: number; read: number; written: number }> {
  return runInDurableObject(stub, async (ledger: WorkspaceLedger, { storage: { sql, kv } }) => {
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    const original = sql.exec;
    sql.exec = ((...args: Parameters<typeof original>) => {
      const cursor = original.apply(sql, args);
      cursors.push(cursor);
      return cursor;
    }) as typeof original;
    const { get } = kv;
    let gets = 0;
    kv.get = ((name: string) => {
      gets += 1;
      return get.call(kv, name);
    }) as typeof get;
    try {
      await run(ledger);
    } finally {
      sql.exec = original;
      kv.get = get;
    }
    const sum = (rows: number[]) => rows.reduce((total, each) => total + each, 0);
    return {
      statements: cursors.length + gets,
      read: sum(cursors.map(({ rowsRead }) => rowsRead)),
      written: sum(cursors.map(({ rowsWritten }) => rowsWritten)),
    };
  });
}
