import { limits } from "../../../contract/limits.ts";
import { bounds } from "../../../protocol/bounds.ts";
import { LedgerPart } from "../part.ts";

const key = "export_leases";

interface Lease {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** The exports under way of a workspace, each with a lease. They are stored, because the object may be evicted beside them. */
export class LedgerExportLeases extends LedgerPart<{ kv: SyncKvStorage }> {
  /** @returns whether there was room for one more export */
  acquire(id: string, now: number): boolean {
    const current = this.#current(now);
    if (current.length >= limits.exports) return false;
    this.#store([...current, { id, until: now + bounds.exportLease }]);
    return true;
  }

  renew(id: string, now: number): void {
    const others = this.#current(now).filter((lease) => lease.id !== id);
    this.#store([...others, { id, until: now + bounds.exportLease }]);
  }

  release(id: string, now: number): void {
    this.#store(this.#current(now).filter((lease) => lease.id !== id));
  }

  #current(now: number): Lease[] {
    return (this.parts.kv.get<Lease[]>(key) ?? []).filter(({ until }) => until > now);
  }

  #store(leases: readonly Lease[]): void {
    if (leases.length === 0) this.parts.kv.delete(key);
    else this.parts.kv.put(key, leases);
  }
}
