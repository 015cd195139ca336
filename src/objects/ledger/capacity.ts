import { log } from "../../lib/log.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { LedgerStorage } from "../../protocol/workspace-ledger.ts";
import { LedgerPart } from "./part.ts";

const hour = 60 * 60 * 1000;
const { high, full, reserve } = bounds.ledger;

/** How much of scans a ledger of some size stores besides their counts, and what follows from the size. */
interface Measurement {
  /** Raw rows, and the visitors of each code. */
  readonly kept: { readonly rows: boolean; readonly visitors: boolean };
  /** Whether raw rows are archived early. */
  readonly isHigh: boolean;
  /** Whether only the reserve is left, which is for counts. */
  readonly exhausted: boolean;
}

/** How full the ledger is, and what it still stores. Counts go on in any case: that is what the reserve is for. */
export class LedgerCapacity extends LedgerPart<{ sql: SqlStorage }> {
  #reportedAt = Number.NEGATIVE_INFINITY;

  get storage(): Pick<LedgerStorage, "bytes" | "status"> {
    const bytes = this.parts.sql.databaseSize;
    return { bytes, status: bytes >= full ? "full" : bytes >= high ? "high" : "ok" };
  }

  /** @throws when only the reserve is left */
  throwIfFull(): void {
    if (this.parts.sql.databaseSize >= reserve) throw new Error("the ledger is full");
  }

  /** Finds out how much of scans is stored. Logs once an hour that the ledger fills up, or is full. @param now epoch milliseconds */
  measure(workspaceId: string | undefined, now: number): Measurement {
    const { bytes, status } = this.storage;
    this.#report(bytes, status, workspaceId, now);
    const kept = { rows: bytes < full, visitors: bytes < reserve };
    return { kept, isHigh: status !== "ok", exhausted: !kept.visitors };
  }

  #report(
    bytes: number,
    status: LedgerStorage["status"],
    workspaceId: string | undefined,
    now: number,
  ): void {
    if (status === "ok" || now < this.#reportedAt + hour) return;
    this.#reportedAt = now;
    if (status === "high") log("warn", "ledger fills up", { workspaceId, bytes });
    else log("error", "ledger full: scans are counted and not stored", { workspaceId, bytes });
  }
}
