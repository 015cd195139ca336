import { idsFrom } from "../../../lib/text/ids.ts";
import type { ErasedScans } from "../../../protocol/workspace-ledger.ts";
import { LedgerPart } from "../part.ts";
import type { RawHistory } from "./raw-history.ts";

/** Which scans of codes are erased. Times are epoch milliseconds. */
export class ScanErasures extends LedgerPart<{
  sql: SqlStorage;
  rawHistory: RawHistory;
}> {
  /** The number of erasures in progress. */
  get count(): number {
    return this.parts.sql.exec<{ n: number }>("SELECT count(*) AS n FROM erasures").one().n;
  }

  /**
   * The time from which a rebuild can count the raw scans of all codes. Older ones are incomplete: deleted, or erased
   * with their sums kept.
   */
  get rawSince(): number {
    const { time } = this.parts.sql
      .exec<{ time: number }>(
        "SELECT coalesce(max(stored_from), 0) AS time FROM codes WHERE stored_from > counted_from",
      )
      .one();
    return Math.max(this.parts.rawHistory.rawSince, time);
  }

  /** Returns the erased scans that files may still contain. */
  inFiles(): ErasedScans[] {
    return this.#erased("qr_id IN (SELECT qr_id FROM erasures)");
  }

  /** Returns the erased scans of some codes. */
  of(qrIds: readonly string[]): ErasedScans[] {
    return this.#erased(
      "stored_from > 0 AND qr_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(qrIds),
    );
  }

  #erased(where: string, ...values: string[]): ErasedScans[] {
    return this.parts.sql
      .exec<{ qr_id: string; stored_from: number }>(
        `SELECT qr_id, stored_from FROM codes WHERE ${where}`,
        ...values,
      )
      .toArray()
      .map(({ qr_id, stored_from }) => ({ qrId: qr_id, before: idsFrom(stored_from) }));
  }

  /** For codes whose sums were erased, by id: the time from which scans in files count. */
  countedFrom(): ReadonlyMap<string, number> {
    const rows = this.parts.sql.exec<{ qr_id: string; counted_from: number }>(
      "SELECT qr_id, counted_from FROM codes WHERE qr_id IN (SELECT qr_id FROM erasures)",
    );
    return new Map([...rows].map(({ qr_id, counted_from }) => [qr_id, counted_from]));
  }
}
