import { log } from "../../lib/log.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { LedgerStorage } from "../../protocol/workspace-ledger.ts";
import { LedgerPart } from "./part.ts";

const hour = 60 * 60 * 1000;
const { high, full, reserve } = bounds.ledger;

/** The data that a ledger of a given size stores of a scan besides counting it. */
interface Measurement {
  /** Whether raw rows and each code's visitors are stored. */
  readonly kept: { readonly rows: boolean; readonly visitors: boolean };
  /** Whether raw rows are archived early. */
  readonly isHigh: boolean;
  /** Whether only the reserve is left, which is for counts alone. */
  readonly exhausted: boolean;
}

/** How full the ledger is, and what it still stores. Scans are counted in any case: the reserve is kept for that. */
export class LedgerCapacity extends LedgerPart<{ sql: SqlStorage }> {
  #reportedAt = Number.NEGATIVE_INFINITY;

  get storage(): Pick<LedgerStorage, "bytes" | "status"> {
    const bytes = this.parts.sql.databaseSize;
    return { bytes, status: bytes >= full ? "full" : bytes >= high ? "high" : "ok" };
  }

  /** @throws if only the reserve is left */
  throwIfFull(): void {
    if (this.parts.sql.databaseSize >= reserve) throw new Error("the ledger is full");
  }

  /**
   * Determines what is stored of scans. Logs at most once an hour that the ledger is filling up or full. @param now
   * epoch milliseconds
   */
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
    if (status === "high") log("warn", "ledger filling up", { workspaceId, bytes });
    else log("error", "ledger full: scans are counted and not stored", { workspaceId, bytes });
  }
}
