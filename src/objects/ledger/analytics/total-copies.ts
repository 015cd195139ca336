import { isQuotaUsedUp, secondsUntilTomorrow } from "../../../lib/daily-quota.ts";
import { describeError, log } from "../../../lib/log.ts";
import { dayLength } from "../../../lib/time/calendar.ts";
import { runtimeTimers, withTimeout } from "../../../lib/with-timeout.ts";
import { bounds } from "../../../protocol/bounds.ts";
import { LedgerPart, type Transact } from "../part.ts";
import { earliest } from "../times.ts";
import type { LedgerGenerations } from "./generations.ts";
import type { LedgerLastScans } from "./last-scans.ts";

const minute = 60_000;

/** When totals are copied, milliseconds. */
const copying = {
  /** After the first scan of a code. */
  firsts: 60 * minute,
  /** Ledgers copy once a day, so long after midnight UTC at most, each at its own time. */
  spread: 4 * 60 * minute,
  /** How long the catalogue may take, and how long it is left alone after it failed: twice as long each time. */
  timeout: 10_000,
  pause: 2 * minute,
  longestPause: 60 * minute,
} as const;

/** Storage key of when what is due. */
const stateKey = "copied_totals";

/** Times are epoch milliseconds; null for never. */
interface State {
  /** When new codes are due. */
  readonly firstsAt: number | null;
  /** When all codes that were scanned are due. */
  readonly allAt: number | null;
  /** The reference up to which all codes have been copied, if that is under way, and whether some were scanned since. */
  readonly after: number;
  readonly again: boolean;
  /** When the catalogue may be asked again, and how often in a row it failed. */
  readonly retryAt: number;
  readonly failures: number;
}

/** Stands for all codes among those that haven't been copied: a ledger that was upgraded has it, by its migration. */
const everyCode = -1;

const nothingDue: State = { firstsAt: null, allAt: null, after: 0, again: false, retryAt: 0, failures: 0 };

type Row = { ref: number; qr_id: string; scans: number; stored_from: number };

/** Codes to copy, new ones or a part of all. */
interface Chunk {
  readonly rows: readonly Row[];
  /** The reference after which the next part of all codes begins; null after the last. Undefined for new codes. */
  readonly after?: number | null;
}

/**
 * Copies codes' totals and the days of their last scans to the catalogue, whose lists filter and sort by them: those of
 * codes that were scanned for the first time after an hour, all others once a day. Figures are absolute, so a copy can be
 * repeated, and whatever a release without copies has counted follows by itself.
 */
export class LedgerTotalCopies extends LedgerPart<{
  sql: SqlStorage;
  kv: SyncKvStorage;
  workspaceId: string;
  generations: LedgerGenerations;
  lastScans: LedgerLastScans;
}> {
  #known: State | undefined;
  /** Whether the catalogue is being written to. */
  #isWriting = false;

  /** Drops cached state. Call it after a rollback. */
  clearMemory(): void {
    this.#known = undefined;
  }

  get #state(): State {
    this.#known ??= this.parts.kv.get<State>(stateKey) ?? {
      ...nothingDue,
      allAt: this.#has(`code = ${everyCode}`) ? 0 : null,
    };
    return this.#known;
  }

  /** Whether there is an uncopied code. */
  #has(condition: string): boolean {
    return (
      this.parts.sql.exec(`SELECT 1 FROM uncopied_codes WHERE ${condition} LIMIT 1`).toArray().length > 0
    );
  }

  #change(changes: Partial<State>): void {
    this.#known = { ...this.#state, ...changes };
    this.parts.kv.put(stateKey, this.#known);
  }

  /** When work is due; null for never. */
  nextAt(): number | null {
    const { firstsAt, allAt, retryAt } = this.#state;
    const at = earliest([firstsAt, allAt]);
    return at === null ? null : Math.max(at, retryAt);
  }

  /** Notes that codes were scanned. Writes once a day, and for new codes. @param firsts references of new codes */
  recorded(firsts: readonly number[], now: number): void {
    this.#add(firsts);
    const { firstsAt, allAt, after, again } = this.#state;
    if (allAt === null) this.#change({ allAt: this.#tomorrow(now) });
    else if ((this.#isWriting || after > 0) && !again) this.#change({ again: true });
    if (firsts.length > 0 && firstsAt === null) this.#change({ firstsAt: now + copying.firsts });
  }

  /** Notes that a code's sums were erased. @param before its reference until then */
  erased(before: number, ref: number, now: number): void {
    this.parts.sql.exec("DELETE FROM uncopied_codes WHERE code = ?", before);
    this.#add([ref]);
    this.#change({ firstsAt: now });
  }

  /** Makes the totals of new codes due. */
  hasten(now: number): void {
    if (this.#state.firstsAt !== null) this.#change({ firstsAt: Math.min(now, this.#state.firstsAt) });
  }

  /** Whether the catalogue refused the last copy. */
  get isRefused(): boolean {
    return this.#state.failures > 0;
  }

  /** Has the totals of all codes copied, in a ledger that has copied none yet. */
  copyAll(): void {
    this.parts.sql.exec(
      `INSERT OR IGNORE INTO uncopied_codes (code) SELECT ${everyCode} FROM codes WHERE scans > 0 LIMIT 1`,
    );
  }

  #add(refs: readonly number[]): void {
    if (refs.length === 0) return;
    this.parts.sql.exec(
      "INSERT INTO uncopied_codes (code) SELECT value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING",
      JSON.stringify(refs),
    );
  }

  /** A time of the next day, UTC, that differs between ledgers. */
  #tomorrow(now: number): number {
    const share = (Number.parseInt(this.parts.workspaceId.slice(-4), 16) || 0) / 0x1_00_00;
    return (Math.floor(now / dayLength) + 1) * dayLength + Math.floor(share * copying.spread);
  }

  /** Copies a chunk, if one is due and none is under way. If the catalogue fails, it is asked again later. */
  async run(now: number, transact: Transact, db: D1Database): Promise<void> {
    const at = this.nextAt();
    if (at === null || at > now || this.#isWriting) return;
    const chunk = this.#nextChunk(now);
    try {
      this.#isWriting = true;
      if (chunk.rows.length > 0) await this.#write(chunk.rows, db);
      await transact(() => this.#copied(chunk, now));
    } catch (error) {
      log("warn", "totals not copied", { workspaceId: this.parts.workspaceId, error: describeError(error) });
      await transact(() => this.#failed(error, now));
    } finally {
      this.#isWriting = false;
    }
  }

  #copied({ rows, after }: Chunk, now: number): void {
    if (rows.length > 0) {
      const refs = JSON.stringify(rows.map(({ ref, scans }) => [ref, scans]));
      this.parts.sql.exec(
        `UPDATE codes SET copied = written.value->>1 FROM json_each(?) written WHERE codes.ref = written.value->>0`,
        refs,
      );
      this.parts.sql.exec(
        "DELETE FROM uncopied_codes WHERE code IN (SELECT value->>0 FROM json_each(?))",
        refs,
      );
    }
    const succeeded = { retryAt: 0, failures: 0 };
    if (after === undefined) {
      const hasMore = this.#has(`code <> ${everyCode}`);
      const isFull = rows.length === bounds.copiedTotals.codes;
      this.#change({ ...succeeded, firstsAt: !hasMore ? null : isFull ? now : now + copying.firsts });
    } else if (after === null) {
      this.parts.sql.exec(`DELETE FROM uncopied_codes WHERE code = ${everyCode}`);
      const allAt = this.#state.again ? this.#tomorrow(now) : null;
      this.#change({ ...succeeded, allAt, after: 0, again: false });
    } else {
      this.#change({ ...succeeded, after });
    }
  }

  #failed(error: unknown, now: number): void {
    const failures = this.#state.failures + 1;
    const pause = Math.min(copying.pause * 2 ** (failures - 1), copying.longestPause);
    const milliseconds = isQuotaUsedUp(error) ? 1000 * secondsUntilTomorrow(now) + pause : pause;
    this.#change({ failures, retryAt: now + milliseconds });
  }

  #nextChunk(now: number): Chunk {
    const { firstsAt, after } = this.#state;
    const most = bounds.copiedTotals;
    if (firstsAt !== null && firstsAt <= now) {
      const rows = this.parts.sql
        .exec<Row>(
          `SELECT c.ref, c.qr_id, c.scans, c.stored_from FROM uncopied_codes u CROSS JOIN codes c ON c.ref = u.code
           LIMIT ?`,
          most.codes,
        )
        .toArray();
      return { rows };
    }
    const read = this.parts.sql
      .exec<Row & { copied: number }>(
        "SELECT ref, qr_id, scans, stored_from, copied FROM codes WHERE ref > ? ORDER BY ref LIMIT ?",
        after,
        most.read,
      )
      .toArray();
    const changed = read.filter(({ scans, copied }) => scans !== copied);
    const rows = changed.slice(0, most.codes);
    const last = changed.length > rows.length ? rows.at(-1) : read.length < most.read ? null : read.at(-1);
    return { rows, after: last?.ref ?? null };
  }

  /** Codes that are erased, or that the catalogue doesn't have, get no row. */
  async #write(rows: readonly Row[], db: D1Database): Promise<void> {
    const { zone } = this.parts.generations.active;
    const values = rows.map(({ ref, qr_id, scans, stored_from }) => {
      const last = this.parts.lastScans.of({ ref, scans, storedFrom: stored_from });
      return [qr_id, scans, last === null ? null : zone.dayOf(last)];
    });
    const statement = db
      .prepare(
        `INSERT INTO scan_totals (workspace_id, qr_id, scans, last_day)
         SELECT c.workspace_id, c.id, v.value->>1, v.value->>2 FROM json_each(?2) v
           CROSS JOIN qr_codes c ON c.id = v.value->>0
         WHERE c.workspace_id = ?1 AND c.erased_at IS NULL
         ON CONFLICT (workspace_id, qr_id) DO UPDATE SET scans = excluded.scans, last_day = excluded.last_day
         WHERE scans IS NOT excluded.scans OR last_day IS NOT excluded.last_day`,
      )
      .bind(this.parts.workspaceId, JSON.stringify(values));
    await withTimeout(runtimeTimers, copying.timeout, () => statement.run());
  }
}
