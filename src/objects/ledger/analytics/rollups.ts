import { LedgerPart } from "../part.ts";
import { highestId, type RawScans, type ScanFacts } from "../scans/raw-scans.ts";
import { DaySums, packedColumns, type RollupRow } from "./day-sums.ts";
import {
  type Generation,
  type LedgerGenerations,
  midway,
  type RollupKey,
  type ZonedSlot,
} from "./generations.ts";

const minute = 60_000;

/** When scans are folded. Small workspaces need no rollups: their reports read the scans themselves. */
export const folding = {
  /** Scans are folded once more than this many are left raw, */
  tail: 2000,
  /** at most once per interval, in milliseconds, */
  interval: 10 * minute,
  /** unless a report would have to read more than this many. */
  maxTail: 20_000,
  /**
   * The most scans that one run folds, of humans and of bots each, while recording waits. With fewer, a flood of scans
   * of many codes would rewrite each code's rollup more often.
   */
  chunk: 10_000,
} as const;

/** How many rollups of a retired generation one run deletes. */
const removedRows = 1000;

/** The workspace's reference among the codes' rollups. */
export const workspaceCode = 0;

/**
 * Sums of scans by code and day, and of the workspace by day. Recording a scan doesn't write them: the object's alarm
 * folds many scans at once. A scan that arrives behind the cursor, or that a full ledger doesn't store, is folded when
 * it is recorded. So rollups plus the scans after the cursor are exact at any moment.
 */
export class LedgerRollups extends LedgerPart<{
  sql: SqlStorage;
  generations: LedgerGenerations;
  rawScans: RawScans;
}> {
  /** Scans after the active generation's cursor; undefined until counted. */
  #tail: number | undefined;

  /** Counts newly recorded scans that folding would miss. @param stored whether they have rows */
  recorded(scans: readonly ScanFacts[], stored: boolean): void {
    const current = this.parts.generations.list().filter(({ state }) => state !== "retired");
    for (const generation of current) {
      const unfoldable = stored ? scans.filter(({ id }) => id <= generation.cursor) : scans;
      this.parts.generations.addScans(generation, this.fold(generation, unfoldable));
      if (generation.state === "active" && this.#tail !== undefined) {
        this.#tail += scans.length - unfoldable.length;
      }
    }
  }

  /** Drops cached state. Call it after a rollback. */
  clearMemory(): void {
    this.#tail = undefined;
  }

  /** When work is due, epoch milliseconds; 0 for now, null for never. */
  nextAt(): number | null {
    const [active, ...others] = this.parts.generations.list();
    if (active === undefined || others.some(({ state }) => state === "retired")) return 0;
    if (active.foldedAt === midway) return 0;
    this.#tail ??= this.parts.rawScans.count(active.cursor, folding.maxTail);
    if (this.#tail >= folding.maxTail) return 0;
    return this.#tail > folding.tail ? active.foldedAt + folding.interval : null;
  }

  /** Folds a chunk of scans into the active generation if due, and removes a chunk of a retired one. */
  run(now: number): void {
    const at = this.nextAt();
    if (at === null || at > now) return;
    for (const generation of this.parts.generations.list()) {
      if (generation.state === "retired") this.#remove(generation);
      if (generation.state === "active") this.foldNext(generation, folding.chunk, now);
    }
  }

  /**
   * Folds the next scans into the active generation if it lacks some from before an id. @returns whether it lacks none
   */
  foldBefore(id: string, now: number): boolean {
    const { active } = this.parts.generations;
    if (!this.parts.rawScans.hasAny({ after: active.cursor, before: id })) return true;
    this.foldNext(active, folding.chunk, now);
    return false;
  }

  /** Folds the next raw scans into a generation, up to a limit for each kind. @returns whether none are left */
  foldNext(generation: Generation, limit: number, now: number): boolean {
    const range = { after: generation.cursor, before: highestId };
    const scans = [...this.parts.rawScans.all(range, limit)];
    // Every scan up to the cursor must be folded. If one kind has more left, the other stops at the same id.
    const kinds = [scans.filter(({ isBot }) => !isBot), scans.filter(({ isBot }) => isBot)];
    const full = kinds.filter(({ length }) => length === limit);
    const cursor = full
      .map((chunk) => chunk.at(-1)?.id ?? highestId)
      .reduce((lowest, id) => (id < lowest ? id : lowest), highestId);
    const folded = scans.filter(({ id }) => id <= cursor);
    const last = folded.reduce((highest, { id }) => (id > highest ? id : highest), generation.cursor);
    const isDone = full.length === 0;
    this.#tail = isDone && generation.state === "active" ? 0 : undefined;
    const erased = this.parts.rawScans.erasedCodes();
    const counted = folded.filter(({ code }) => !erased.has(code));
    const humans = this.fold(generation, counted);
    this.parts.generations.advance(generation, last, humans, isDone ? now : midway);
    return isDone;
  }

  /**
   * Counts scans in a generation's rollups. @returns the number of human scans, for the caller to add to the generation
   */
  fold(generation: Generation, scans: readonly ScanFacts[]): number {
    const sums = new Map<string, ZonedSums>();
    const add = (scan: ScanFacts, code: number, { day, slot, zone }: ZonedSlot) => {
      if (comesWithCopy(generation, { code, day }, scan.time)) return;
      const key = `${code}/${day}`;
      let found = sums.get(key);
      if (found === undefined) {
        found = { code, day, zone, sums: new DaySums() };
        sums.set(key, found);
      }
      found.zone ??= zone;
      found.sums.add(scan, slot, code === workspaceCode);
    };
    for (const scan of scans) {
      const slot = this.parts.generations.slotOf(generation, scan.time);
      add(scan, scan.code, slot);
      add(scan, workspaceCode, slot);
    }
    let humans = 0;
    for (const added of sums.values()) {
      if (added.code === workspaceCode) humans += added.sums.hours.total(0);
      this.add(generation, added);
    }
    return humans;
  }

  /** Adds sums to a code's row of a day. */
  add(generation: Generation, { code, day, zone, sums }: ZonedSums): void {
    const [stored] = this.parts.sql
      .exec<RollupRow & { zone: string | null }>(selectRollup, generation.ref, code, day)
      .toArray();
    if (stored !== undefined) sums.addRow(stored);
    const row = { zone: stored?.zone ?? zone, ...sums.toRow() };
    this.parts.sql.exec(upsertRollup, generation.ref, code, day, ...rollupColumns.map((name) => row[name]));
  }

  /** Removes a code's sums from the active generation, including from the workspace's. */
  removeCode(code: number): void {
    const { sql, generations } = this.parts;
    const { active } = generations;
    const rows = sql.exec<RollupRow & { day: number }>(
      `SELECT day, ${sumColumns.join(", ")} FROM rollups WHERE generation = ? AND code = ?`,
      active.ref,
      code,
    );
    let humans = 0;
    for (const { day, ...row } of rows.toArray()) {
      const sums = new DaySums();
      sums.addRow(row);
      humans += sums.hours.total(0);
      this.#subtract(active, day, code, sums);
    }
    sql.exec("DELETE FROM rollups WHERE generation = ? AND code = ?", active.ref, code);
    generations.addScans(active, -humans);
  }

  /** Subtracts a code's sums from the workspace's sums of a day. */
  #subtract({ ref }: Generation, day: number, code: number, sums: DaySums): void {
    const key = [ref, workspaceCode, day] as const;
    const whole = new DaySums();
    whole.addRow(this.parts.sql.exec<RollupRow>(selectRollup, ...key).one());
    whole.subtractCode(code, sums);
    const remaining = whole.toRow();
    this.parts.sql.exec(
      `UPDATE rollups SET ${sumColumns.map((name) => `${name} = ?`).join(", ")}
       WHERE generation = ? AND code = ? AND day = ?`,
      ...sumColumns.map((name) => remaining[name]),
      ...key,
    );
  }

  /** Deletes a chunk of a retired generation's rollups, and finally the generation. */
  #remove(generation: Generation): void {
    const { rowsWritten } = this.parts.sql.exec(
      `DELETE FROM rollups WHERE generation = ?1 AND (code, day) IN
         (SELECT code, day FROM rollups WHERE generation = ?1 LIMIT ?2)`,
      generation.ref,
      removedRows,
    );
    if (rowsWritten < removedRows) this.parts.generations.remove(generation);
  }
}

const sumColumns = ["visitors", "visitor_set", ...packedColumns] as const;
const rollupColumns = ["zone", ...sumColumns] as const;
const selectRollup = `SELECT ${rollupColumns.join(", ")} FROM rollups WHERE generation = ? AND code = ? AND day = ?`;
const upsertRollup = `INSERT INTO rollups (generation, code, day, ${rollupColumns.join(", ")})
  VALUES (?, ?, ?, ${rollupColumns.map(() => "?").join(", ")})
  ON CONFLICT DO UPDATE SET ${rollupColumns.map((name) => `${name} = excluded.${name}`).join(", ")}`;

/** The sums of a code and day, with the day's time zone if it is not the generation's own. */
export interface ZonedSums extends RollupKey {
  zone: string | null;
  readonly sums: DaySums;
}

/** Whether a scan of an earlier zone belongs to a rollup that has yet to be copied from the previous generation. */
function comesWithCopy(
  { copied, earlierZones }: Generation,
  { code, day }: RollupKey,
  time: number,
): boolean {
  if (copied === null || time >= (earlierZones.at(-1)?.until ?? 0)) return false;
  return code > copied.code || (code === copied.code && day > copied.day);
}
