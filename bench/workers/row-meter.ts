/** Rows as Cloudflare bills them. */
export interface Rows {
  readonly written: number;
  readonly read: number;
}

type Cursor = SqlStorageCursor<Record<string, SqlStorageValue>>;

/**
 * Counts the rows that a Durable Object reads and writes, including index entries: those of SQL, and one per change of
 * the key-value storage and of the alarm.
 */
export class RowMeter {
  /** When the alarm was last set to fire, epoch milliseconds; null once it is deleted. */
  alarmAt: number | null = null;
  #cursors: Cursor[] = [];
  #changes = 0;

  /** @param storage whose methods it replaces */
  constructor(storage: DurableObjectStorage) {
    const { sql, kv } = storage;
    const exec = sql.exec;
    sql.exec = ((...args: Parameters<typeof exec>) => {
      const cursor = exec.apply(sql, args);
      this.#cursors.push(cursor);
      return cursor;
    }) as typeof exec;
    const { put, delete: remove } = kv;
    kv.put = (...args) => {
      this.#changes += 1;
      put.apply(kv, args);
    };
    kv.delete = (key) => {
      this.#changes += 1;
      return remove.call(kv, key);
    };
    const { setAlarm, deleteAlarm } = storage;
    storage.setAlarm = (time, options) => {
      this.#changes += 1;
      this.alarmAt = Number(time);
      return setAlarm.call(storage, time, options);
    };
    storage.deleteAlarm = (options) => {
      this.#changes += 1;
      this.alarmAt = null;
      return deleteAlarm.call(storage, options);
    };
  }

  /** Returns the rows since the last call. Cursors count as they are read, so all of them must be at their ends. */
  take(): Rows {
    let [written, read] = [this.#changes, 0];
    for (const cursor of this.#cursors) {
      written += cursor.rowsWritten;
      read += cursor.rowsRead;
    }
    this.#cursors = [];
    this.#changes = 0;
    return { written, read };
  }
}
