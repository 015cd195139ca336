import type { LedgerRebuild } from "../analytics/rebuild.ts";
import type { LedgerArchiveFiles } from "../archive/archive-files.ts";
import type { LedgerHistory } from "../history/history.ts";
import { LedgerPart, type Transact } from "../part.ts";
import type { RawScans, ScanFacts } from "../scans/raw-scans.ts";
import { earliest } from "../times.ts";
import type { LedgerArchive } from "./archive.ts";
import type { LedgerRetention } from "./retention.ts";
import type { LedgerScanRemoval } from "./scan-removal.ts";
import type { UnusedEntries } from "./unused-entries.ts";

/** When work is due, and the facts this depends on that recording scans can change. */
interface Known {
  readonly at: number | null;
  /** The time of the oldest raw scan; infinity if there is none. */
  readonly oldest: number;
  /** Whether the ledger is so large that raw scans are archived early. */
  readonly isHigh: boolean;
}

interface StorageState {
  /** Whether the ledger is so large that raw scans are archived early. */
  readonly isHigh: boolean;
  /** Whether every new scan gets a row, and nothing else was counted. */
  readonly isAllStored: boolean;
}

/** Background work on raw scans and the history, one chunk at a time. Times are epoch milliseconds. */
export class LedgerMaintenance extends LedgerPart<{
  archiveFiles: LedgerArchiveFiles;
  rebuild: LedgerRebuild;
  retention: LedgerRetention;
  archive: LedgerArchive;
  scanRemoval: LedgerScanRemoval;
  unusedEntries: UnusedEntries;
  rawScans: RawScans;
  history: LedgerHistory;
}> {
  #known: Known | undefined;

  /** Drops cached state. Call it after a rollback, and after every change except the frequent ones (`runFrequent`). */
  clearMemory(): void {
    this.#known = undefined;
  }

  /**
   * Accounts for new scans. The ids of scans without rows have to be removed some day. @param stored the scans with
   * rows
   */
  recorded(stored: readonly ScanFacts[], { isHigh, isAllStored }: StorageState): void {
    const known = this.#known;
    if (known === undefined) return;
    const isOlder = stored.some(({ time }) => time < known.oldest);
    if (known.isHigh !== isHigh || isOlder || !isAllStored) this.clearMemory();
  }

  /** When work is due; null for never. Cached, because every recording of scans asks for it. */
  nextAt(): number | null {
    this.#known ??= {
      at: this.#findNext(),
      oldest: this.parts.rawScans.oldestTime ?? Number.POSITIVE_INFINITY,
      isHigh: this.parts.archive.isHigh,
    };
    return this.#known.at;
  }

  #findNext(): number | null {
    // No scan is archived or deleted while rollups are being built.
    const scansAt =
      this.parts.rebuild.nextAt() ?? earliest([this.#removalAt(), this.parts.unusedEntries.nextAt()]);
    return earliest([scansAt, this.parts.history.nextAt()]);
  }

  /** When scans are due for removal. */
  #removalAt(): number | null {
    return earliest([this.parts.scanRemoval.nextAt(), this.parts.retention.nextAt(), this.#archiveAt()]);
  }

  /** Nothing is archived before erased scans have been removed. */
  #archiveAt(): number | null {
    return this.parts.scanRemoval.isIdle ? this.parts.archive.nextAt() : null;
  }

  /** Does a chunk of the work that needs no files. Call it in a transaction. */
  run(now: number): void {
    this.parts.history.run(now);
    if (this.parts.rebuild.nextAt() !== null) {
      this.parts.rebuild.run(now);
      return;
    }
    this.parts.scanRemoval.run(now);
    this.parts.retention.run(now);
    const removalAt = this.#removalAt();
    // Entries of erased scans would count as used until these are removed.
    if (removalAt === null || removalAt > now) this.parts.unusedEntries.run(now);
  }

  /** Does a chunk of the work that needs files. If R2 fails, it is retried after an hour. */
  async runWithFiles(now: number, transact: Transact): Promise<void> {
    if (this.parts.archiveFiles.retryAt > now) return;
    const work = this.#work(now, transact);
    if (work !== undefined) await this.parts.archiveFiles.attempt(now, work);
  }

  #work(now: number, transact: Transact): (() => Promise<void>) | undefined {
    const isDue = (at: number | null) => at !== null && at <= now;
    if (this.parts.rebuild.nextAt() !== null) {
      return this.parts.rebuild.needsFile() ? () => this.parts.rebuild.foldFile(transact) : undefined;
    }
    if (isDue(this.parts.retention.filesNextAt())) return () => this.parts.retention.deleteFiles();
    if (this.parts.scanRemoval.needsFiles) return () => this.parts.scanRemoval.runWithFiles(transact);
    if (isDue(this.#archiveAt())) return () => this.parts.archive.run(now, transact);
    return undefined;
  }
}
