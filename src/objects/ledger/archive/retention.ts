import { idsFrom } from "../../../lib/text/ids.ts";
import { dayLength } from "../../../lib/time/calendar.ts";
import type { LedgerRollups } from "../analytics/rollups.ts";
import type { RawHistory } from "../scans/raw-history.ts";
import type { RawScans } from "../scans/raw-scans.ts";
import type { UnusedEntries } from "../scans/unused-entries.ts";
import { earliest } from "../times.ts";
import type { LedgerArchiveFiles } from "./archive-files.ts";

/** Raw scans that one run deletes, of humans and of bots each. */
export const retentionChunk = 5000;

/**
 * Deletes raw scans that a workspace no longer keeps, a day's at a time, at midnight UTC. Their sums stay. A file of
 * archived scans goes once all of its scans do.
 */
export class LedgerRetention {
  readonly #sql: SqlStorage;
  readonly #history: RawHistory;
  readonly #files: LedgerArchiveFiles;
  readonly #raw: RawScans;
  readonly #rollups: LedgerRollups;
  readonly #unused: UnusedEntries;

  constructor(
    sql: SqlStorage,
    history: RawHistory,
    files: LedgerArchiveFiles,
    raw: RawScans,
    rollups: LedgerRollups,
    unused: UnusedEntries,
  ) {
    this.#sql = sql;
    this.#history = history;
    this.#files = files;
    this.#raw = raw;
    this.#rollups = rollups;
    this.#unused = unused;
  }

  /** When there are scans to delete, epoch milliseconds; null for never. */
  nextAt(): number | null {
    const filesAt = this.filesNextAt();
    return earliest([
      this.#dueAt(this.#raw.oldestTime),
      filesAt === null ? null : Math.max(filesAt, this.#files.retryAt),
    ]);
  }

  /** When there is a file to delete. */
  filesNextAt(): number | null {
    return this.#dueAt(this.#files.earliestEnd);
  }

  /** The midnight at which a scan is to be deleted. */
  #dueAt(time: number | null): number | null {
    const days = this.#history.keptDays;
    if (days === null || time === null) return null;
    return (Math.floor(time / dayLength) + 1 + days) * dayLength;
  }

  /** Deletes a chunk of rows, if there are any to delete. Scans that are not folded yet are folded first. */
  run(now: number): void {
    const due = earliest([this.#dueAt(this.#raw.oldestTime), this.filesNextAt()]);
    if (due === null || due > now) return;
    const keptFrom = this.#history.keptFrom(now);
    if (!this.#rollups.foldBefore(idsFrom(keptFrom), now)) return;
    this.#history.deleteBefore(keptFrom);
    this.#unused.released();
    for (const table of ["scans", "bot_scans"]) {
      this.#sql.exec(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE id < unhex(?) ORDER BY id LIMIT ?)`,
        idsFrom(keptFrom),
        retentionChunk,
      );
    }
  }

  /** Deletes some of the files that have only scans which are not kept. @throws if R2 fails */
  async deleteFiles(): Promise<void> {
    await this.#files.deleteBefore(this.#history.deletedBefore);
  }
}
