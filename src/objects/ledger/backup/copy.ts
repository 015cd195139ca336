import type {
  BackupKey,
  LedgerChanges,
  LedgerCopyAnswer,
  LedgerCopyRequest,
  LedgerPlace,
  ScansMark,
  TablePage,
} from "../../../protocol/backup.ts";
import { LedgerPart } from "../part.ts";
import { columnsOf, encodedColumns, readPage, readRows, stepSize } from "./rows.ts";
import { copiedTables, valueDecisions } from "./tables.ts";

/** The storage key of the copy in progress. */
const copyKey = "backup_copy";

interface Copy {
  readonly id: string;
  /** When it is given up unless another step comes, epoch milliseconds. */
  readonly until: number;
}

/** How long a copy waits for its next step, and by how much it must be behind before that is stored again. */
const patience = 10 * 60_000;
const renewal = 60_000;

/** The keys, as JSON, that were changed since a copy began. Empty while there is none. */
const changesTable = `
CREATE TABLE IF NOT EXISTS backup_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  tbl TEXT NOT NULL,
  key TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS backup_changes_key ON backup_changes (tbl, key);
`;

/** Changes that one step answers. */
const changesAtOnce = 2000;

/**
 * Copies the ledger while it goes on, as it was at one moment. Its tables are read page by page, while triggers note
 * which keys change; then the rows of these keys are read again, until a step answers all that are left. That step is
 * the moment.
 */
export class LedgerCopy extends LedgerPart<{
  sql: SqlStorage;
  kv: SyncKvStorage;
  storage: DurableObjectStorage;
}> {
  #known: Copy | null | undefined;

  /** Drops cached state. Call it after a rollback. */
  clearMemory(): void {
    this.#known = undefined;
  }

  get #current(): Copy | null {
    if (this.#known === undefined) this.#known = this.parts.kv.get<Copy>(copyKey) ?? null;
    return this.#known;
  }

  #save(copy: Copy | null): void {
    if (copy === null) this.parts.kv.delete(copyKey);
    else this.parts.kv.put(copyKey, copy);
    this.#known = copy;
  }

  /** When a copy is given up; null if there is none. */
  nextAt(): number | null {
    return this.#current?.until ?? null;
  }

  /** Gives up a copy whose steps have ceased. */
  run(now: number): void {
    const until = this.nextAt();
    if (until !== null && until <= now) this.#end();
  }

  /** Does a step. Call it in a transaction. */
  step(request: LedgerCopyRequest, isErased: boolean, now: number): LedgerCopyAnswer {
    if (request.step === "begin") {
      this.#end();
      if (!isErased) this.#begin({ id: request.id, until: now + patience });
      return { kind: "begun", tables: isErased ? [] : copiedTables, mark: this.#mark(), erased: isErased };
    }
    const current = this.#current;
    if (current?.id !== request.id) return request.step === "end" ? { kind: "ended" } : { kind: "given up" };
    if (request.step === "end") {
      this.#end();
      return { kind: "ended" };
    }
    if (now + patience - current.until > renewal) this.#save({ id: current.id, until: now + patience });
    if (request.step === "changes") return { kind: "changes", changes: this.#changesAfter(request.after) };
    return this.#pages(request);
  }

  /** Reads pages, of as many tables as a step has room for. */
  #pages({ table, after, before }: LedgerPlace & { readonly before: string | null }): LedgerCopyAnswer {
    const first = copiedTables.indexOf(table);
    if (first < 0) throw new Error(`${table} isn't copied`);
    const pages: TablePage[] = [];
    let { rows, characters }: { rows: number; characters: number } = stepSize;
    let from = after;
    for (const name of copiedTables.slice(first)) {
      if (rows <= 0 || characters <= 0 || name === before) {
        return { kind: "pages", pages, next: { table: name, after: null } };
      }
      const page = readPage(this.parts.sql, name, from, { rows, characters });
      pages.push(page);
      if (page.next !== null) return { kind: "pages", pages, next: { table: name, after: page.next } };
      rows -= page.count;
      characters -= page.lines.length;
      from = null;
    }
    return { kind: "pages", pages, next: null };
  }

  #begin(copy: Copy): void {
    const { sql } = this.parts;
    sql.exec(changesTable);
    for (const table of copiedTables) {
      const columns = columnsOf(sql, table);
      const key = (row: string) => `json_array(${encodedColumns(columns, columns.key, `${row}.`)})`;
      // The conflict clause of the outer statement would overrule one of an INSERT, so the key is deleted first.
      const note = (event: string, ...rows: readonly string[]) =>
        sql.exec(
          `CREATE TRIGGER backup_${table}_${event} AFTER ${event} ON ${table} BEGIN
             DELETE FROM backup_changes WHERE tbl = '${table}' AND key IN (${rows.map(key).join(", ")});
             INSERT INTO backup_changes (tbl, key)
               ${rows.map((row) => `SELECT '${table}', ${key(row)}`).join(" UNION ")};
           END`,
        );
      note("INSERT", "NEW");
      note("UPDATE", "OLD", "NEW");
      note("DELETE", "OLD");
    }
    this.#save(copy);
  }

  #end(): void {
    const { sql } = this.parts;
    if (this.#current === null) return;
    for (const table of copiedTables) {
      for (const event of ["INSERT", "UPDATE", "DELETE"]) {
        sql.exec(`DROP TRIGGER IF EXISTS backup_${table}_${event}`);
      }
    }
    // The table stays: dropping it would fail while a cursor is open.
    sql.exec("DELETE FROM backup_changes");
    this.#save(null);
  }

  #changesAfter(after: number): LedgerChanges {
    const { sql, kv } = this.parts;
    const rows = sql
      .exec<{ seq: number; tbl: string; key: string }>(
        "SELECT seq, tbl, key FROM backup_changes WHERE seq > ? ORDER BY seq LIMIT ?",
        after,
        changesAtOnce,
      )
      .toArray();
    const tables = Array.from(
      Map.groupBy(rows, ({ tbl }) => tbl),
      ([table, changed]) => {
        const page = readRows(
          sql,
          table,
          changed.map(({ key }) => JSON.parse(key) as BackupKey),
        );
        const found = new Set(
          page.lines
            .split("\n")
            .flatMap((line) => (line === "" ? [] : [keyText(JSON.parse(line), page.key)])),
        );
        const removed = changed.flatMap(({ key }) => (found.has(key) ? [] : [JSON.parse(key) as BackupKey]));
        return { ...page, removed };
      },
    );
    const complete = rows.length < changesAtOnce;
    const values = complete
      ? Object.fromEntries([...kv.list()].filter(([name]) => valueDecisions[name] === "copied"))
      : {};
    return { tables, seq: rows.at(-1)?.seq ?? after, complete, values };
  }

  #mark(): ScansMark {
    const { sql, kv } = this.parts;
    const row = sql
      .exec(
        `SELECT (SELECT count(*) FROM erasures) AS erasures, (SELECT count(*) FROM archives) AS archives,
           (SELECT max(number) FROM archives) AS archive, count(*) AS codes, max(ref) AS ref, sum(stored_from) AS stored,
           sum(counted_from) AS counted FROM codes WHERE stored_from > 0 OR counted_from > 0`,
      )
      .one();
    return JSON.stringify([...Object.values(row), kv.get("deleted_before") ?? 0]);
  }
}

const keyText = (row: readonly unknown[], key: readonly number[]): string =>
  JSON.stringify(key.map((i) => row[i]));
