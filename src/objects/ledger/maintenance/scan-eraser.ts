import { idsFrom, timeOfId } from "../../../lib/text/ids.ts";
import type { ScanErasure } from "../../../protocol/workspace-ledger.ts";
import type { LedgerClosedScans } from "../analytics/closed-scans.ts";
import type { LedgerGenerations } from "../analytics/generations.ts";
import type { LedgerRollups } from "../analytics/rollups.ts";
import type { LedgerTotalCopies } from "../analytics/total-copies.ts";
import type { LedgerArchiveFiles } from "../archive/archive-files.ts";
import { LedgerPart } from "../part.ts";
import { highestId } from "../scans/raw-scans.ts";
import type { ScanErasures } from "../scans/scan-erasures.ts";

const hour = 60 * 60 * 1000;

/**
 * Erases scans of codes. If their sums are erased too, the code gets a new reference and loses everything under the old
 * one. Otherwise, raw scans from before a time are no longer shown. Times are epoch milliseconds.
 */
export class ScanEraser extends LedgerPart<{
  sql: SqlStorage;
  scanErasures: ScanErasures;
  generations: LedgerGenerations;
  rollups: LedgerRollups;
  closedScans: LedgerClosedScans;
  totalCopies: LedgerTotalCopies;
  archiveFiles: LedgerArchiveFiles;
}> {
  /** Erases a code's scans. Call it in a transaction. The alarm removes the rows later. */
  begin({ qrId, hash, sums }: ScanErasure, now: number): void {
    this.parts.sql.exec("INSERT INTO codes (qr_id, hash) VALUES (?, ?) ON CONFLICT DO NOTHING", qrId, hash);
    const { ref } = this.parts.sql.exec<{ ref: number }>("SELECT ref FROM codes WHERE qr_id = ?", qrId).one();
    const from = this.#timeAfter(ref, now);
    // Makes running exports read the list of files, and with it the erasures, again.
    this.parts.archiveFiles.bumpVersion();
    if (sums === "erase") {
      this.#removeReference(ref, from, now);
      this.#list(ref, { qrId, sums: 1, before: highestId });
    } else {
      this.parts.sql.exec("UPDATE codes SET stored_from = max(stored_from, ?) WHERE ref = ?", from, ref);
      this.#list(ref, { qrId, sums: 0, before: idsFrom(from) });
    }
  }

  /** The time after a code's last possible scan. Clocks differ, so that may be slightly in the future. */
  #timeAfter(ref: number, now: number): number {
    const { digits } = this.parts.sql
      .exec<{ digits: string }>(
        `SELECT hex(max(id)) AS digits FROM
           (SELECT max(id) AS id FROM scans INDEXED BY scans_by_code WHERE code = ?1 AND id < unhex(?2)
            UNION ALL SELECT max(id) FROM bot_scans WHERE id < unhex(?2))`,
        ref,
        idsFrom(now + hour),
      )
      .one();
    return Math.max(now, digits === "" ? 0 : timeOfId(digits)) + 1;
  }

  /** Gives a code a new reference and removes the sums under the old one. */
  #removeReference(ref: number, from: number, now: number): void {
    const { building } = this.parts.generations;
    this.parts.rollups.removeCode(ref);
    this.parts.closedScans.removeCode(ref);
    const { ref: next } = this.parts.sql
      .exec<{ ref: number }>(
        `UPDATE codes SET ref = (SELECT max(ref) + 1 FROM codes), scans = 0, visitors = 0,
           counted_from = max(counted_from, ?1), stored_from = max(stored_from, ?1) WHERE ref = ?2 RETURNING ref`,
        from,
        ref,
      )
      .one();
    this.parts.totalCopies.erased(ref, next, now);
    // The generation being built contains some of the sums, so it is started over.
    if (building !== undefined)
      this.parts.generations.begin(building.zoneName, this.parts.scanErasures.rawSince);
  }

  #list(ref: number, { qrId, sums, before }: { qrId: string; sums: 0 | 1; before: string }): void {
    this.parts.sql.exec(
      `INSERT INTO erasures (code, qr_id, sums, before, bots_after, files_after, files_until)
       VALUES (?, ?, ?, unhex(?), zeroblob(0), 0, ?)
       ON CONFLICT (code) DO UPDATE SET sums = excluded.sums, before = excluded.before, bots_after = excluded.bots_after,
         files_after = excluded.files_after, files_until = excluded.files_until`,
      ref,
      qrId,
      sums,
      before,
      this.parts.archiveFiles.version,
    );
  }
}
