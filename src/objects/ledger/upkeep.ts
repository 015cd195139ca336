import type { LedgerArchive, Transact } from "./archive.ts";
import type { LedgerArchiveFiles } from "./archive-files.ts";
import type { LedgerRebuild } from "./rebuild.ts";
import type { LedgerRetention } from "./retention.ts";
import type { LedgerScanErasing } from "./scan-erasing.ts";
import { earliest } from "./times.ts";

/** What is done to raw scans in the background, a chunk at a time. Times are epoch milliseconds. */
export class LedgerUpkeep {
  readonly #files: LedgerArchiveFiles;
  readonly #rebuild: LedgerRebuild;
  readonly #retention: LedgerRetention;
  readonly #archive: LedgerArchive;
  readonly #erasing: LedgerScanErasing;

  constructor(
    files: LedgerArchiveFiles,
    rebuild: LedgerRebuild,
    retention: LedgerRetention,
    archive: LedgerArchive,
    erasing: LedgerScanErasing,
  ) {
    this.#files = files;
    this.#rebuild = rebuild;
    this.#retention = retention;
    this.#archive = archive;
    this.#erasing = erasing;
  }

  /** When there is something to do; null for never. */
  nextAt(): number | null {
    // While rollups are built, nothing is archived or deleted.
    return (
      this.#rebuild.nextAt() ??
      earliest([this.#erasing.nextAt(), this.#retention.nextAt(), this.#archiveAt()])
    );
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
