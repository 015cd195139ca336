import { Counts } from "../../../lib/packed/counts.ts";
import { idsFrom, timeOfId } from "../../../lib/text/ids.ts";
import { LedgerPart } from "../part.ts";
import type { RawHistory } from "../scans/raw-history.ts";
import { hourWidth } from "./day-sums.ts";
import type { LedgerGenerations } from "./generations.ts";

/** How many days with scans of a code are searched for its last human scan once that isn't stored. */
const searchedDays = 400;

/** A code's reference and totals. Raw scans older than `storedFrom`, epoch milliseconds, were erased. */
export interface CodeTotal {
  readonly ref: number;
  readonly scans: number;
  readonly storedFrom: number;
}

/** When people last scanned a code. */
export class LedgerLastScans extends LedgerPart<{
  sql: SqlStorage;
  generations: LedgerGenerations;
  rawHistory: RawHistory;
}> {
  /**
   * Returns the time of a code's last human scan, epoch milliseconds; null for none. If the scan itself is no longer
   * stored, that is the beginning of its day. Reads one row, or else one for each day up to `searchedDays`.
   */
  of({ ref, scans, storedFrom }: CodeTotal): number | null {
    if (scans === 0) return null;
    const { digits } = this.parts.sql
      .exec<{ digits: string }>(
        "SELECT hex(max(id)) AS digits FROM scans INDEXED BY scans_by_code WHERE code = ? AND id >= unhex(?)",
        ref,
        idsFrom(storedFrom),
      )
      .one();
    const stored = digits === "" ? null : timeOfId(digits);
    if (stored !== null && stored >= this.parts.rawHistory.rawSince) return stored;
    return this.#beginningOfLastDay(ref, stored) ?? stored;
  }

  /** @param after a time on whose day or before there is nothing to find; null for none */
  #beginningOfLastDay(ref: number, after: number | null): number | null {
    const { ref: generation, zone } = this.parts.generations.active;
    const rows = this.parts.sql.exec<{ day: number; hours: ArrayBuffer }>(
      `SELECT day, hours FROM rollups WHERE generation = ? AND code = ? AND day > ? ORDER BY day DESC LIMIT ?`,
      generation,
      ref,
      after === null ? 0 : zone.dayOf(after),
      searchedDays,
    );
    for (const { day, hours } of rows) {
      const counts = new Counts(hourWidth);
      counts.addPacked(new Uint8Array(hours));
      if (counts.total(0) > 0) return zone.startOf(day);
    }
    return null;
  }
}
