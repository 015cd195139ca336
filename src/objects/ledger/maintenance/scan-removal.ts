import { idsFrom, idToHex, timeOfId } from "../../../lib/text/ids.ts";
import { dayLength } from "../../../lib/time/calendar.ts";
import type { ArchivedScan } from "../../../protocol/archives.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { LedgerGenerations } from "../analytics/generations.ts";
import type { LedgerRollups } from "../analytics/rollups.ts";
import type { LedgerArchiveFiles, NewFile, NumberedFile } from "../archive/archive-files.ts";
import { LedgerPart, type Transact } from "../part.ts";
import type { ScanErasures } from "../scans/scan-erasures.ts";
import { earliest } from "../times.ts";
import { monthsAfter } from "./archive.ts";
import type { UnusedEntries } from "./unused-entries.ts";

/** How many rows of each table one run removes or searches. */
export const removalChunk = 5000;

/** How many lines of a file are read at a time. */
const linesAtOnce = 2000;

/**
 * Days for which ids are kept. No raw scan is archived or deleted sooner either, so that every scan is recognised for
 * as long.
 */
const idDays = bounds.rawScans.days;

/**
 * The time from which the ids of scans without rows are kept, epoch milliseconds. Older ones are removed at midnight
 * UTC.
 */
const idsKeptFrom = (now: number): number => Math.max(0, Math.floor(now / dayLength) - idDays) * dayLength;

/** Storage key of an unlisted file that may exist. */
const leftoverKey = "erasure_leftover";

/** An erasure with rows left to remove. */
type Erasure = { code: number; sums: number; before: string; bots_after: string };

/** The scans of a file that no erasure covers. */
interface Rest {
  readonly version: number;
  readonly file: NumberedFile;
  readonly isWhole: boolean;
  readonly scans: readonly ArchivedScan[];
}

/**
 * Removes erased scans, a chunk at a time: their rows, and their lines in files, which are rewritten. If their sums are
 * kept, their ids stay for as long as the scans may be sent again.
 */
export class LedgerScanRemoval extends LedgerPart<{
  kv: SyncKvStorage;
  sql: SqlStorage;
  generations: LedgerGenerations;
  rollups: LedgerRollups;
  archiveFiles: LedgerArchiveFiles;
  scanErasures: ScanErasures;
  unusedEntries: UnusedEntries;
}> {
  /** Whether there is nothing to remove. */
  get isIdle(): boolean {
    return this.parts.scanErasures.count === 0 && this.#leftover === null;
  }

  /** Whether a file must be searched or deleted. */
  get needsFiles(): boolean {
    return this.#leftover !== null || this.parts.archiveFiles.toErase !== undefined;
  }

  /** When rows, lines or ids are due for removal, epoch milliseconds; 0 for now, null for never. */
  nextAt(): number | null {
    const waitsForFiles = this.needsFiles && this.#withRows() === undefined;
    const removeAt = waitsForFiles ? this.parts.archiveFiles.retryAt : 0;
    return earliest([this.isIdle ? null : removeAt, this.#idsDueAt()]);
  }

  get #leftover(): string | null {
    return this.parts.kv.get<string>(leftoverKey) ?? null;
  }

  /** When the oldest id of a scan without a row is due for removal. */
  #idsDueAt(): number | null {
    const { digits } = this.parts.sql
      .exec<{ digits: string }>("SELECT hex(min(id)) AS digits FROM counted_scans")
      .one();
    return digits === "" ? null : (Math.floor(timeOfId(digits) / dayLength) + 1 + idDays) * dayLength;
  }

  #withRows(): Erasure | undefined {
    return this.parts.sql
      .exec<Erasure>(
        `SELECT code, sums, lower(hex(before)) AS before, lower(hex(bots_after)) AS bots_after
         FROM erasures WHERE bots_after IS NOT NULL ORDER BY code LIMIT 1`,
      )
      .toArray()[0];
  }

  /** Removes a chunk of rows and a chunk of ids. */
  run(now: number): void {
    this.parts.sql.exec(
      "DELETE FROM counted_scans WHERE id IN (SELECT id FROM counted_scans WHERE id < unhex(?) ORDER BY id LIMIT ?)",
      idsFrom(idsKeptFrom(now)),
      removalChunk,
    );
    const erasure = this.#withRows();
    if (erasure !== undefined) this.#removeRows(erasure, now);
    this.#end();
  }

  /** Scans whose sums are kept must be folded before their rows go. */
  #removeRows(erasure: Erasure, now: number): void {
    if (erasure.sums === 0 && !this.parts.rollups.foldBefore(erasure.before, now)) return;
    this.parts.unusedEntries.released();
    if (this.#removeHumans(erasure, now) && this.#removeVisitors(erasure)) this.#removeBots(erasure, now);
  }

  /** @returns whether none are left */
  #removeHumans(erasure: Erasure, now: number): boolean {
    const ids = this.parts.sql
      .exec<{ digits: string }>(
        `SELECT lower(hex(id)) AS digits FROM scans INDEXED BY scans_by_code
         WHERE code = ? AND id < unhex(?) ORDER BY id LIMIT ?`,
        erasure.code,
        erasure.before,
        removalChunk,
      )
      .toArray();
    this.#remove("scans", ids, erasure, now);
    return ids.length < removalChunk;
  }

  /** Removes the visitors of a reference whose sums are erased. @returns whether none are left */
  #removeVisitors({ code, sums }: Erasure): boolean {
    if (sums === 0) return true;
    const { rowsWritten } = this.parts.sql.exec(
      `DELETE FROM visitors WHERE code = ?1 AND visitor IN
         (SELECT visitor FROM visitors WHERE code = ?1 ORDER BY visitor LIMIT ?2)`,
      code,
      removalChunk,
    );
    return rowsWritten < removalChunk;
  }

  /** Searches a chunk of the bots' scans, which have no index by code. */
  #removeBots(erasure: Erasure, now: number): void {
    const rows = this.parts.sql
      .exec<{ digits: string; code: number }>(
        `SELECT lower(hex(id)) AS digits, code FROM bot_scans
         WHERE id > unhex(?) AND id < unhex(?) ORDER BY id LIMIT ?`,
        erasure.bots_after,
        erasure.before,
        removalChunk,
      )
      .toArray();
    this.#remove(
      "bot_scans",
      rows.filter(({ code }) => code === erasure.code),
      erasure,
      now,
    );
    const last = rows.length < removalChunk ? null : (rows.at(-1)?.digits ?? null);
    this.parts.sql.exec("UPDATE erasures SET bots_after = unhex(?) WHERE code = ?", last, erasure.code);
  }

  #remove(
    table: "scans" | "bot_scans",
    rows: readonly { readonly digits: string }[],
    { sums }: Erasure,
    now: number,
  ): void {
    const ids = JSON.stringify(rows.map(({ digits }) => digits));
    if (sums === 0) {
      this.parts.sql.exec(
        "INSERT INTO counted_scans (id) SELECT unhex(value) FROM json_each(?) WHERE value >= ? ON CONFLICT DO NOTHING",
        ids,
        idsFrom(idsKeptFrom(now)),
      );
    }
    this.parts.sql.exec(`DELETE FROM ${table} WHERE id IN (SELECT unhex(value) FROM json_each(?))`, ids);
  }

  /** Ends the erasures that have nothing left to remove. */
  #end(): void {
    this.parts.sql.exec(
      `DELETE FROM erasures WHERE bots_after IS NULL AND NOT EXISTS
         (SELECT 1 FROM archives WHERE number > files_after AND number <= files_until)`,
    );
  }

  /** Deletes the unlisted file, or searches the next one. @throws if R2 fails */
  async runWithFiles(transact: Transact): Promise<void> {
    await this.#deleteLeftover(transact);
    const file = this.parts.archiveFiles.toErase;
    if (file === undefined) return;
    const rest = await this.#restOf(file);
    const replacement = await this.#write(rest, transact);
    await transact(() => this.#commit(rest, replacement));
    await this.#deleteLeftover(transact);
  }

  /** Writes the rest of a file. @returns null if nothing was erased from it, or nothing is left */
  async #write({ version, isWhole, scans }: Rest, transact: Transact): Promise<NewFile | null> {
    const [first] = scans;
    if (isWhole || first === undefined) return null;
    const number = version + 1;
    const key = this.parts.archiveFiles.keyOf(monthsAfter(timeOfId(first.id), 0), number);
    await transact(() => this.parts.kv.put(leftoverKey, key));
    const lines = scans.map((scan) => `${JSON.stringify(scan)}\n`);
    return newFile(number, key, scans, await this.parts.archiveFiles.write(key, lines));
  }

  async #deleteLeftover(transact: Transact): Promise<void> {
    const key = this.#leftover;
    if (key === null) return;
    await this.parts.archiveFiles.discard(key);
    await transact(() => this.parts.kv.delete(leftoverKey));
  }

  async #restOf(file: NumberedFile): Promise<Rest> {
    const { version } = this.parts.archiveFiles;
    const erased = new Map(this.parts.scanErasures.inFiles().map(({ qrId, before }) => [qrId, before]));
    const scans: ArchivedScan[] = [];
    let total = 0;
    for await (const some of this.parts.archiveFiles.read(file.key, linesAtOnce)) {
      total += some.length;
      scans.push(...some.filter(({ id, qrId }) => idToHex(id) >= (erased.get(qrId) ?? "")));
    }
    return { version, file, isWhole: scans.length === total, scans };
  }

  /** Records that a file was searched, and its replacement. Does nothing if the list has changed in the meantime. */
  #commit({ version, file, isWhole }: Rest, replacement: NewFile | null): void {
    if (this.parts.generations.building !== undefined || this.parts.archiveFiles.version !== version) return;
    if (!isWhole) {
      this.parts.archiveFiles.replace(file.number, replacement);
      this.parts.kv.put(leftoverKey, file.key);
    }
    this.parts.sql.exec(
      "UPDATE erasures SET files_after = ? WHERE files_after < ?",
      file.number,
      file.number,
    );
    this.#end();
  }
}

function newFile(number: number, key: string, scans: readonly ArchivedScan[], bytes: number): NewFile {
  const botScans = scans.filter(({ bot }) => bot).length;
  return {
    number,
    key,
    first: idToHex(scans[0]?.id ?? ""),
    last: idToHex(scans.at(-1)?.id ?? ""),
    scans: scans.length - botScans,
    botScans,
    bytes,
  };
}
