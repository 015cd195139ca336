import type { LedgerRestoreAnswer, LedgerRestoreRequest } from "../../../protocol/backup.ts";
import type { LedgerTotalCopies } from "../analytics/total-copies.ts";
import { LedgerPart } from "../part.ts";
import { removeRows, storeRows } from "./rows.ts";
import { copiedTables, valueDecisions } from "./tables.ts";

/** The storage key of the backup that is in the ledger. */
const restoredKey = "backup_restored";

interface Restored {
  readonly id: string;
  /** Whether all of it is there. Until then, nothing else is stored in the ledger. */
  readonly isComplete: boolean;
  /** Whether deliveries wait, because the installation that was copied still sends them. */
  readonly holds: boolean;
}

/** The tables whose rows show that a ledger is in use. A new one has a generation, and scans of unknown codes none. */
const usedTables = copiedTables.filter((table) => table !== "generations" && table !== "visitor_changes");

/** Fills a ledger with the tables of another. */
export class LedgerRestore extends LedgerPart<{
  sql: SqlStorage;
  kv: SyncKvStorage;
  totalCopies: LedgerTotalCopies;
}> {
  #known: Restored | null | undefined;

  /** Drops cached state. Call it after a rollback. */
  clearMemory(): void {
    this.#known = undefined;
  }

  get #current(): Restored | null {
    if (this.#known === undefined) this.#known = this.parts.kv.get<Restored>(restoredKey) ?? null;
    return this.#known;
  }

  #save(restored: Restored): void {
    this.parts.kv.put(restoredKey, restored);
    this.#known = restored;
  }

  /** Has deliveries wait, of a ledger that is being moved. */
  hold(id: string): void {
    this.#save({ id, isComplete: true, holds: true });
  }

  /** Whether deliveries wait. */
  get holdsDeliveries(): boolean {
    return this.#current?.holds === true;
  }

  /** @throws while the ledger is being restored, so that callers try again */
  throwIfUnfinished(): void {
    if (this.#current?.isComplete === false) throw new Error("the ledger is being restored");
  }

  /** Does a step. Call it in a transaction. */
  step(request: LedgerRestoreRequest): LedgerRestoreAnswer {
    const { id } = request;
    if (request.step === "begin") return this.#begin(id);
    const current = this.#current;
    // A ledger without a backup, such as one that is erased, holds nothing.
    if (request.step === "release" && current === null) return "restored";
    if (current?.id !== id) return "refused";
    if (request.step === "release") this.#save({ ...current, holds: false });
    if (current.isComplete) return "restored";
    if (request.step === "rows" || request.step === "remove") {
      const { rows } = request;
      if (!copiedTables.includes(rows.table)) throw new Error(`${rows.table} isn't restored`);
      if (request.step === "rows") storeRows(this.parts.sql, rows);
      else removeRows(this.parts.sql, rows);
    }
    if (request.step === "complete") this.#complete(current, request.values);
    return "ready";
  }

  #begin(id: string): LedgerRestoreAnswer {
    const current = this.#current;
    if (current !== null) return current.id !== id ? "refused" : current.isComplete ? "restored" : "ready";
    const { sql } = this.parts;
    const isUsed = usedTables.some(
      (table) => sql.exec(`SELECT 1 FROM ${table} LIMIT 1`).toArray().length > 0,
    );
    if (isUsed) return "refused";
    sql.exec("DELETE FROM generations");
    this.#save({ id, isComplete: false, holds: true });
    return "ready";
  }

  #complete(current: Restored, values: Readonly<Record<string, unknown>>): void {
    const { sql, kv } = this.parts;
    // Triggers have counted deliveries that were stored again.
    sql.exec(
      `UPDATE webhooks SET (ended_events, pending_events) =
         (SELECT coalesce(sum(iif(completed_at IS NULL, 0, event_count)), 0),
            coalesce(sum(iif(completed_at IS NULL, event_count, 0)), 0)
          FROM deliveries WHERE webhook = webhooks.ref)`,
    );
    sql.exec(
      "UPDATE history_size SET (rows, bytes) = (SELECT count(*), coalesce(sum(bytes), 0) FROM history)",
    );
    // The catalogue's totals of scans aren't restored.
    this.parts.totalCopies.copyAll();
    for (const [name, value] of Object.entries(values)) {
      if (valueDecisions[name] === "copied") kv.put(name, value);
    }
    this.#save({ ...current, isComplete: true });
  }
}
