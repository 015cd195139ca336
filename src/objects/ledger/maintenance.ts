import type { LedgerRebuild } from "./analytics/rebuild.ts";
import type { LedgerArchive, Transact } from "./archive/archive.ts";
import type { LedgerArchiveFiles } from "./archive/archive-files.ts";
import type { LedgerRetention } from "./archive/retention.ts";
import type { RawScans, ScanFacts } from "./scans/raw-scans.ts";
import type { LedgerScanErasing } from "./scans/scan-erasing.ts";
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

interface Recorded {
  /** Whether the ledger is so large that raw scans are archived early. */
  readonly isHigh: boolean;
  /** Whether each new scan has a row. */
  readonly isAllStored: boolean;
}

/** What is done to raw scans in the background, a chunk at a time. Times are epoch milliseconds. */
export class LedgerUpkeep {
  readonly #files: LedgerArchiveFiles;
  readonly #rebuild: LedgerRebuild;
  readonly #retention: LedgerRetention;
  readonly #archive: LedgerArchive;
  readonly #erasing: LedgerScanErasing;
  readonly #unused: UnusedEntries;
  readonly #raw: RawScans;
  #known: Known | undefined;

  constructor(
    files: LedgerArchiveFiles,
    rebuild: LedgerRebuild,
    retention: LedgerRetention,
    archive: LedgerArchive,
    erasing: LedgerScanErasing,
    unused: UnusedEntries,
    raw: RawScans,
  ) {
    this.#files = files;
    this.#rebuild = rebuild;
    this.#retention = retention;
    this.#archive = archive;
    this.#erasing = erasing;
    this.#unused = unused;
    this.#raw = raw;
  }

  /** Forgets what is held in memory. Call it after any change but a frequent one, and after a rollback. */
  clearMemory(): void {
    this.#known = undefined;
  }

  /** Takes note of new scans. Of those without rows, the ids are to be forgotten at some time. @param stored those with rows */
  recorded(stored: readonly ScanFacts[], { isHigh, isAllStored }: Recorded): void {
    const known = this.#known;
    if (known === undefined) return;
    const isOlder = stored.some(({ time }) => time < known.oldest);
    if (known.isHigh !== isHigh || isOlder || !isAllStored) this.clearMemory();
  }

  /** When there is something to do; null for never. Held in memory, because each recording of scans asks for it. */
  nextAt(): number | null {
    this.#known ??= {
      at: this.#findNext(),
      oldest: this.#raw.oldestTime ?? Number.POSITIVE_INFINITY,
      isHigh: this.#archive.isHigh,
    };
    return this.#known.at;
  }

  #findNext(): number | null {
    // While rollups are built, nothing is archived or deleted.
    return this.#rebuild.nextAt() ?? earliest([this.#removalAt(), this.#unused.nextAt()]);
  }

  /** When there are scans to remove. */
  #removalAt(): number | null {
    return earliest([this.#erasing.nextAt(), this.#retention.nextAt(), this.#archiveAt()]);
  }

  /** No scan is archived that is erased and still to be removed. */
  #archiveAt(): number | null {
    return this.#erasing.isIdle ? this.#archive.nextAt() : null;
  }

  /** Does a chunk of what needs no file. Call it in a transaction. */
  run(now: number): void {
    if (this.#rebuild.nextAt() !== null) {
      this.#rebuild.run(now);
      return;
    }
    this.#erasing.run(now);
    this.#retention.run(now);
    const removalAt = this.#removalAt();
    // Until all is removed, what it refers to would be found in use.
    if (removalAt === null || removalAt > now) this.#unused.run(now);
  }

  /** Does a chunk of what needs files. If R2 fails, it is tried again after an hour. */
  async runWithFiles(now: number, transact: Transact): Promise<void> {
    if (this.#files.retryAt > now) return;
    const work = this.#work(now, transact);
    if (work !== undefined) await this.#files.attempt(now, work);
  }

  #work(now: number, transact: Transact): (() => Promise<void>) | undefined {
    const isDue = (at: number | null) => at !== null && at <= now;
    if (this.#rebuild.nextAt() !== null) {
      return this.#rebuild.needsFile() ? () => this.#rebuild.foldFile(transact) : undefined;
    }
    if (isDue(this.#retention.filesNextAt())) return () => this.#retention.deleteFiles();
    if (this.#erasing.needsFiles) return () => this.#erasing.runWithFiles(transact);
    if (isDue(this.#archiveAt())) return () => this.#archive.run(now, transact);
    return undefined;
  }
}
