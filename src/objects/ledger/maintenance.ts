import type { LedgerRebuild } from "./analytics/rebuild.ts";
import type { LedgerArchive, Transact } from "./archive/archive.ts";
import type { LedgerArchiveFiles } from "./archive/archive-files.ts";
import type { LedgerRetention } from "./archive/retention.ts";
import { LedgerPart } from "./part.ts";
import type { RawScans, ScanFacts } from "./scans/raw-scans.ts";
import type { LedgerScanRemoval } from "./scans/scan-removal.ts";
import type { UnusedEntries } from "./scans/unused-entries.ts";
import { earliest } from "./times.ts";

/** When there is something to do, and what it depends on of that which recording scans changes. */
interface Known {
  readonly at: number | null;
  /** The time of the oldest raw scan; infinite if there is none. */
  readonly oldest: number;
  /** Whether the ledger is so large that raw scans are archived early. */
  readonly isHigh: boolean;
}

interface StorageState {
  /** Whether the ledger is so large that raw scans are archived early. */
  readonly isHigh: boolean;
  /** Whether each new scan has a row. */
  readonly isAllStored: boolean;
}

/** Work on raw scans in the background, a chunk at a time. Times are epoch milliseconds. */
export class LedgerMaintenance extends LedgerPart<{
  archiveFiles: LedgerArchiveFiles;
  rebuild: LedgerRebuild;
  retention: LedgerRetention;
  archive: LedgerArchive;
  scanRemoval: LedgerScanRemoval;
  unusedEntries: UnusedEntries;
  rawScans: RawScans;
}> {
  #known: Known | undefined;

  /** Forgets what is held in memory. Call it after any change but a frequent one, and after a rollback. */
  clearMemory(): void {
    this.#known = undefined;
  }

  /** Takes note of new scans. Of those without rows, the ids are to be removed at some time. @param stored those with rows */
  recorded(stored: readonly ScanFacts[], { isHigh, isAllStored }: StorageState): void {
    const known = this.#known;
    if (known === undefined) return;
    const isOlder = stored.some(({ time }) => time < known.oldest);
    if (known.isHigh !== isHigh || isOlder || !isAllStored) this.clearMemory();
  }

  /** When there is something to do; null for never. Held in memory, because each recording of scans asks for it. */
  nextAt(): number | null {
    this.#known ??= {
      at: this.#findNext(),
      oldest: this.parts.rawScans.oldestTime ?? Number.POSITIVE_INFINITY,
      isHigh: this.parts.archive.isHigh,
    };
    return this.#known.at;
  }

  #findNext(): number | null {
    // While rollups are built, nothing is archived or deleted.
    return this.parts.rebuild.nextAt() ?? earliest([this.#removalAt(), this.parts.unusedEntries.nextAt()]);
  }

  /** When there are scans to remove. */
  #removalAt(): number | null {
    return earliest([this.parts.scanRemoval.nextAt(), this.parts.retention.nextAt(), this.#archiveAt()]);
  }

  /** No scan is archived that is erased and still to be removed. */
  #archiveAt(): number | null {
    return this.parts.scanRemoval.isIdle ? this.parts.archive.nextAt() : null;
  }

  /** Does a chunk of what needs no file. Call it in a transaction. */
  run(now: number): void {
    if (this.parts.rebuild.nextAt() !== null) {
      this.parts.rebuild.run(now);
      return;
    }
    this.parts.scanRemoval.run(now);
    this.parts.retention.run(now);
    const removalAt = this.#removalAt();
    // Until all is removed, what it refers to would be found in use.
    if (removalAt === null || removalAt > now) this.parts.unusedEntries.run(now);
  }

  /** Does a chunk of what needs files. If R2 fails, it is tried again after an hour. */
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
