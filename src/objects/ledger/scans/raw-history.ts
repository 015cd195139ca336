import { dayLength } from "../../../lib/time/calendar.ts";
import type { ReportingStatus } from "../../../protocol/analytics.ts";
import { LedgerPart } from "../part.ts";
import type { ScanFacts } from "./raw-scans.ts";

type KeptDays = ReportingStatus["keepScansDays"];

/** Storage keys: the days for which raw scans are kept, and two times explained at `RawHistory`. */
const keptDaysKey = "keep_scans_days";
const deletedBeforeKey = "deleted_before";
const rawSinceKey = "raw_since";

/** Which raw scans a ledger keeps and has. Times are epoch milliseconds. */
export class RawHistory extends LedgerPart<{ kv: SyncKvStorage }> {
  /** Days for which raw scans are kept; null for no limit. */
  get keptDays(): KeptDays {
    return this.parts.kv.get<KeptDays>(keptDaysKey) ?? null;
  }

  set keptDays(days: KeptDays) {
    this.parts.kv.put(keptDaysKey, days);
  }

  /** Raw scans older than this have been deleted or are about to be; 0 if there was no deletion. */
  get deletedBefore(): number {
    return this.parts.kv.get<number>(deletedBeforeKey) ?? 0;
  }

  /** Scans older than this are not kept, though some may not have been removed yet. @param now epoch milliseconds */
  keptFrom(now: number): number {
    const days = this.keptDays;
    if (days === null) return this.deletedBefore;
    return Math.max(this.deletedBefore, (Math.floor(now / dayLength) - days) * dayLength);
  }

  /** From this time on, all raw scans are in the ledger or its archive. 0 if that holds from the beginning. */
  get rawSince(): number {
    return this.parts.kv.get<number>(rawSinceKey) ?? 0;
  }

  /** Records that raw scans older than this are deleted. */
  deleteBefore(time: number): void {
    if (time > this.deletedBefore) this.parts.kv.put(deletedBeforeKey, time);
    this.#lack(time);
  }

  /** Records that scans were counted without being stored. */
  lackScans(scans: readonly ScanFacts[]): void {
    this.#lack(scans.reduce((end, { time }) => Math.max(end, time + 1), 0));
  }

  #lack(before: number): void {
    if (before > this.rawSince) this.parts.kv.put(rawSinceKey, before);
  }
}
