import { idsFrom } from "../../../lib/text/ids.ts";
import { dayLength } from "../../../lib/time/calendar.ts";
import type { LedgerRollups } from "../analytics/rollups.ts";
import type { LedgerArchiveFiles } from "../archive/archive-files.ts";
import { LedgerPart } from "../part.ts";
import type { RawHistory } from "../scans/raw-history.ts";
import type { RawScans } from "../scans/raw-scans.ts";
import { earliest } from "../times.ts";
import type { UnusedEntries } from "./unused-entries.ts";

/** How many raw scans one run deletes, of humans and of bots each. */
const retentionChunk = 5000;

/**
 * Deletes raw scans beyond the workspace's retention, a day at a time, at midnight UTC. Their sums stay. A file of
 * archived scans is deleted once all of its scans have expired.
 */
export class LedgerRetention extends LedgerPart<{
  sql: SqlStorage;
  rawHistory: RawHistory;
  archiveFiles: LedgerArchiveFiles;
  rawScans: RawScans;
  rollups: LedgerRollups;
  unusedEntries: UnusedEntries;
}> {
  /** When scans are due for deletion, epoch milliseconds; null for never. */
  nextAt(): number | null {
    const filesAt = this.filesNextAt();
    return earliest([
      this.#dueAt(this.parts.rawScans.oldestTime),
      filesAt === null ? null : Math.max(filesAt, this.parts.archiveFiles.retryAt),
    ]);
  }

  /** When a file is due for deletion. */
  filesNextAt(): number | null {
    return this.#dueAt(this.parts.archiveFiles.earliestEnd);
  }

  /** The midnight at which a scan expires. */
  #dueAt(time: number | null): number | null {
    const days = this.parts.rawHistory.keptDays;
    if (days === null || time === null) return null;
    return (Math.floor(time / dayLength) + 1 + days) * dayLength;
  }

  /** Deletes a chunk of expired rows, if any. Scans that are not folded yet are folded first. */
  run(now: number): void {
    const due = earliest([this.#dueAt(this.parts.rawScans.oldestTime), this.filesNextAt()]);
    if (due === null || due > now) return;
    const keptFrom = this.parts.rawHistory.keptFrom(now);
    if (!this.parts.rollups.foldBefore(idsFrom(keptFrom), now)) return;
    this.parts.rawHistory.deleteBefore(keptFrom);
    this.parts.unusedEntries.released();
    for (const table of ["scans", "bot_scans"]) {
      this.parts.sql.exec(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id < unhex(?) ORDER BY id LIMIT ?)`,
        idsFrom(keptFrom),
        retentionChunk,
      );
    }
  }

  /** Deletes some of the files in which all scans have expired. @throws if R2 fails */
  async deleteFiles(): Promise<void> {
    await this.parts.archiveFiles.deleteBefore(this.parts.rawHistory.deletedBefore);
  }
}
