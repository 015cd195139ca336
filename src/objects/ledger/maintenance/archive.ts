import { idsFrom, timeOfId } from "../../../lib/text/ids.ts";
import { addMonths, dayLength, startOfMonth } from "../../../lib/time/calendar.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { LedgerGenerations } from "../analytics/generations.ts";
import type { LedgerRollups } from "../analytics/rollups.ts";
import type { LedgerArchiveFiles } from "../archive/archive-files.ts";
import type { ArchivableScan, ArchivedRows } from "../archive/archived-rows.ts";
import { LedgerPart, type Transact } from "../part.ts";
import { lowestId, type RawScans } from "../scans/raw-scans.ts";
import { earliest } from "../times.ts";
import type { UnusedEntries } from "./unused-entries.ts";

const { high } = bounds.ledger;
const { months, days, newestOfCode } = bounds.rawScans;

/** How many raw scans of humans and of bots each are considered for one file. */
const archiveChunk = 10_000;

const archiveStateKey = "archive";

/** The progress of a pass over the raw scans. Each code's newest scans are left in place. */
interface ArchiveState {
  /** The id reached: 32 hex digits. */
  readonly cursor: string;
  /** When the last pass ended, and the time up to which it archived scans. Epoch milliseconds. */
  readonly passedAt: number;
  readonly passedUntil: number;
  /** A file that may have been written but not recorded. */
  readonly unrecorded: string | null;
}

/** A file to write. */
interface Plan {
  readonly number: number;
  readonly key: string;
  readonly scans: readonly ArchivableScan[];
  readonly cursor: string;
}

/**
 * Moves raw scans to R2. A file is written first; then one transaction records it and deletes its rows. If the object
 * dies in between, the rows are still there and the file is written again.
 */
export class LedgerArchive extends LedgerPart<{
  kv: SyncKvStorage;
  sql: SqlStorage;
  archiveFiles: LedgerArchiveFiles;
  archivedRows: ArchivedRows;
  rawScans: RawScans;
  generations: LedgerGenerations;
  rollups: LedgerRollups;
  unusedEntries: UnusedEntries;
}> {
  get #state(): ArchiveState {
    const initial = { cursor: lowestId, passedAt: 0, passedUntil: 0, unrecorded: null };
    return { ...initial, ...this.parts.kv.get<Partial<ArchiveState>>(archiveStateKey) };
  }

  #change(changes: Partial<ArchiveState>): void {
    this.parts.kv.put(archiveStateKey, { ...this.#state, ...changes });
  }

  /** When there may be scans to archive, epoch milliseconds; 0 for now, null for never. */
  nextAt(): number | null {
    const { cursor, passedAt, passedUntil, unrecorded } = this.#state;
    // Erasures can't find scans in an unrecorded file, so it is deleted as soon as possible.
    if (unrecorded !== null) return this.parts.archiveFiles.retryAt;
    const oldest = this.parts.rawScans.oldestTime;
    if (oldest === null || !this.parts.archiveFiles.isPossible) return null;
    // A month is archived once the required number of months has passed since, so each pass covers about one more
    // month.
    const aged = monthsAfter(Math.max(oldest, passedUntil), months + 1);
    const crowded = this.isHigh ? (cursor === lowestId ? passedAt + dayLength : 0) : null;
    return Math.max(earliest([aged, crowded]) ?? 0, this.parts.archiveFiles.retryAt);
  }

  /** Whether the ledger is so large that raw scans are archived early. */
  get isHigh(): boolean {
    return this.parts.sql.databaseSize >= high;
  }

  /** Archives the next chunk of scans. @throws if R2 fails */
  async run(now: number, transact: Transact): Promise<void> {
    const { unrecorded } = this.#state;
    if (unrecorded !== null) await this.parts.archiveFiles.discard(unrecorded);
    const plan = await transact(() => this.#plan(now));
    if (plan === null) return;
    const bytes = await this.parts.archiveFiles.write(
      plan.key,
      plan.scans.map(({ line }) => line),
    );
    await transact(() => this.#commit(plan, bytes));
  }

  /** Selects the scans of the next file. @returns null if there is nothing to write */
  #plan(now: number): Plan | null {
    this.#change({ unrecorded: null });
    if (this.parts.generations.building !== undefined) return null;
    const aged = monthsAfter(now, -months);
    const limit = idsFrom(this.isHigh ? Math.max(aged, now - days * dayLength) : aged);
    if (!this.parts.rollups.foldBefore(limit, now)) return null;
    const { cursor } = this.#state;
    const first = this.parts.rawScans.firstAfter(cursor);
    if (first === null || first >= limit) {
      this.#change({ cursor: lowestId, passedAt: now, passedUntil: aged });
      return null;
    }
    const month = monthsAfter(timeOfId(first), 0);
    const nextMonth = idsFrom(monthsAfter(month, 1));
    const { scans, last } = this.#chunk(cursor, nextMonth < limit ? nextMonth : limit);
    const movable = this.#withoutNewest(scans);
    if (movable.length === 0) {
      this.#change({ cursor: last });
      return null;
    }
    const number = this.parts.archiveFiles.version + 1;
    const key = this.parts.archiveFiles.keyOf(month, number);
    this.#change({ unrecorded: key });
    return { number, key, scans: movable, cursor: last };
  }

  /** Returns the next scans by ascending id, and the id up to which they are complete. */
  #chunk(after: string, before: string): { scans: ArchivableScan[]; last: string } {
    const kinds = [
      this.parts.archivedRows.humans({ after, before }, archiveChunk),
      this.parts.archivedRows.bots({ after, before }, archiveChunk),
    ];
    const last = kinds
      .filter(({ length }) => length === archiveChunk)
      .map((chunk) => chunk.at(-1)?.digits ?? before)
      .reduce((lowest, digits) => (digits < lowest ? digits : lowest), before);
    const scans = kinds
      .flat()
      .filter(({ digits }) => digits <= last)
      .sort((a, b) => (a.digits < b.digits ? -1 : 1));
    return { scans, last };
  }

  /** Omits each code's newest human scans. */
  #withoutNewest(scans: readonly ArchivableScan[]): ArchivableScan[] {
    const codes = [...new Set(scans.filter(({ isBot }) => !isBot).map(({ code }) => code))];
    const oldestKept = new Map(
      this.parts.sql
        .exec<{ code: number; digits: string }>(
          `SELECT value AS code, lower(hex((SELECT id FROM scans INDEXED BY scans_by_code
             WHERE code = value ORDER BY id DESC LIMIT 1 OFFSET ?))) AS digits FROM json_each(?)`,
          newestOfCode - 1,
          JSON.stringify(codes),
        )
        .toArray()
        .map(({ code, digits }) => [code, digits]),
    );
    // A code with fewer scans has no such id; the empty text sorts before every id.
    return scans.filter(({ isBot, digits, code }) => isBot || digits < (oldestKept.get(code) ?? ""));
  }

  /** Records a written file and deletes its rows. Does nothing if the list has changed in the meantime. */
  #commit({ number, key, scans, cursor }: Plan, bytes: number): void {
    const [first, last] = [scans[0], scans.at(-1)];
    if (first === undefined || last === undefined) return;
    if (this.parts.generations.building !== undefined || this.parts.archiveFiles.version + 1 !== number)
      return;
    const botScans = scans.filter(({ isBot }) => isBot).length;
    const humans = scans.length - botScans;
    this.parts.archiveFiles.add({
      number,
      key,
      first: first.digits,
      last: last.digits,
      scans: humans,
      botScans,
      bytes,
    });
    const ids = JSON.stringify(scans.map(({ digits }) => digits));
    for (const table of ["scans", "bot_scans"]) {
      this.parts.sql.exec(`DELETE FROM ${table} WHERE id IN (SELECT unhex(value) FROM json_each(?))`, ids);
    }
    this.parts.unusedEntries.released();
    this.#change({ cursor, unrecorded: null });
  }
}

/** Returns the start of the month that is `count` months after the month of `time`, UTC. Epoch milliseconds. */
export const monthsAfter = (time: number, count: number): number =>
  Math.max(0, addMonths(startOfMonth(Math.floor(time / dayLength)), count) * dayLength);
