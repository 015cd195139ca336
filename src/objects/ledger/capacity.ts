import { log } from "../../lib/log.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { LedgerStorage } from "../../protocol/workspace-ledger.ts";

const hour = 60 * 60 * 1000;
const { high, full, reserve } = bounds.ledger;

/** How full the ledger is, and what it still stores. Counts go on in any case: that is what the reserve is for. */
export class LedgerCapacity {
  readonly #sql: SqlStorage;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get storage(): Pick<LedgerStorage, "bytes" | "state"> {
    const bytes = this.#sql.databaseSize;
    return { bytes, state: bytes >= full ? "full" : bytes >= high ? "high" : "ok" };
  }

  /** What is stored of scans besides counts: raw rows, and the visitors of each code. */
  get kept(): { readonly rows: boolean; readonly visitors: boolean } {
    const bytes = this.#sql.databaseSize;
    return { rows: bytes < full, visitors: bytes < reserve };
  }

  /** Whether only the reserve is left, which is for counts. */
  get exhausted(): boolean {
    return this.#sql.databaseSize >= reserve;
  }

  /** @throws when only the reserve is left */
  requireRoom(): void {
    if (this.exhausted) throw new Error("the ledger is full");
  }

  /** Logs once an hour that the ledger fills up, or is full. @param now epoch milliseconds */
  report(workspaceId: string | undefined, now: number): void {
    const { bytes, state } = this.storage;
    if (state === "ok" || now < this.#reportedAt + hour) return;
    this.#reportedAt = now;
    if (state === "high") log("warn", "ledger fills up", { workspaceId, bytes });
    else log("error", "ledger full: scans are counted and not stored", { workspaceId, bytes });
  }
}
