import { limits } from "../../../contract/limits.ts";
import { bounds } from "../../../protocol/bounds.ts";
import { LedgerPart } from "../part.ts";

const leasesKey = "export_leases";

interface Lease {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** A workspace's exports in progress, each with a lease. Stored, because the object may be evicted during an export. */
export class LedgerExportLeases extends LedgerPart<{ kv: SyncKvStorage }> {
  /** @returns false if the limit of exports is reached */
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
    return (this.parts.kv.get<Lease[]>(leasesKey) ?? []).filter(({ until }) => until > now);
  }

  #store(leases: readonly Lease[]): void {
    if (leases.length === 0) this.parts.kv.delete(leasesKey);
    else this.parts.kv.put(leasesKey, leases);
  }
}
