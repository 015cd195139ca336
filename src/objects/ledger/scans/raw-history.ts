import { dayLength } from "../../../lib/time/calendar.ts";
import type { ReportingStatus } from "../../../protocol/analytics.ts";
import { LedgerPart } from "../part.ts";
import type { ScanFacts } from "./raw-scans.ts";

type KeptDays = ReportingStatus["keepScansDays"];

/** The storage keys of: the days for which raw scans are kept; two times, see `RawHistory`. */
const keptDaysKey = "keep_scans_days";
const deletedBeforeKey = "deleted_before";
const rawSinceKey = "raw_since";

/** Which raw scans a ledger keeps and has. Times are epoch milliseconds. */
export class RawHistory extends LedgerPart<{ kv: SyncKvStorage }> {
  /** Days for which raw scans are kept; null for good. */
  get keptDays(): KeptDays {
    return this.parts.kv.get<KeptDays>(keptDaysKey) ?? null;
  }

  set keptDays(days: KeptDays) {
    this.parts.kv.put(keptDaysKey, days);
  }

  /** Older raw scans are deleted, or will be in a moment; 0 if none were. */
  get deletedBefore(): number {
    return this.parts.kv.get<number>(deletedBeforeKey) ?? 0;
  }

  /** Scans from before this time are not kept, though some may be there still. @param now epoch milliseconds */
  keptFrom(now: number): number {
    const days = this.keptDays;
    if (days === null) return this.deletedBefore;
    return Math.max(this.deletedBefore, (Math.floor(now / dayLength) - days) * dayLength);
  }

  /** From when raw scans are complete: later ones are all in the ledger or its archive. 0 for from the beginning. */
  get rawSince(): number {
    return this.parts.kv.get<number>(rawSinceKey) ?? 0;
  }

  /** Records that older raw scans are deleted. */
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
