import { runInDurableObject } from "cloudflare:test";
import type { WorkspaceLedger } from "../../src/objects/ledger/workspace-ledger.ts";

/** Runs calls of a ledger, and counts the rows that SQLite reads and writes for them. */
export async function countRows(
  stub: DurableObjectStub<WorkspaceLedger>,
  run: (ledger: WorkspaceLedger) => unknown,
): Promise<{ read: number; written: number }> {
  return runInDurableObject(stub, async (ledger: WorkspaceLedger, { storage: { sql } }) => {
    const cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = [];
    const original = sql.exec;
    sql.exec = ((...args: Parameters<typeof original>) => {
      const cursor = original.apply(sql, args);
      cursors.push(cursor);
      return cursor;
    }) as typeof original;
    try {
      await run(ledger);
    } finally {
      sql.exec = original;
    }
    const sum = (rows: number[]) => rows.reduce((total, each) => total + each, 0);
    return {
      read: sum(cursors.map(({ rowsRead }) => rowsRead)),
      written: sum(cursors.map(({ rowsWritten }) => rowsWritten)),
    };
  });
}
