import { bounds } from "../../../protocol/bounds.ts";
import { LedgerPart } from "../part.ts";
import type { HumanScan } from "../scans/scans.ts";

/** The human scans that one call recorded. */
export interface RecentCall {
  /** The number of the last one. */
  readonly number: number;
  /** How many there are. */
  readonly count: number;
  /** The ids of the first ones, at most `bounds.liveScans`: 32 hex digits each. */
  readonly ids: readonly string[];
}

/** The same for a call in progress. */
export interface NewCall extends RecentCall {
  readonly scans: readonly HumanScan[];
}

type RecentCallRow = { slot: number; number: number; ids: string };

const { liveCalls, liveScans } = bounds;
const idDigits = 32;

/**
 * Numbers a workspace's human scans in the order they are recorded, and remembers those of the last calls. The rows
 * form a ring, so that a call writes one.
 */
export class LedgerRecentScans extends LedgerPart<{ sql: SqlStorage }> {
  #latest: { slot: number; number: number } | undefined;

  /** Drops cached state. Call it after a rollback. */
  clearMemory(): void {
    this.#latest = undefined;
  }

  /** The number of the last human scan. */
  get latest(): number {
    return this.#last.number;
  }

  get #last(): { slot: number; number: number } {
    this.#latest ??= this.parts.sql
      .exec<{ slot: number; number: number }>(
        "SELECT slot, number FROM recent_scans ORDER BY number DESC LIMIT 1",
      )
      .toArray()[0] ?? { slot: -1, number: 0 };
    return this.#latest;
  }

  /** Numbers a call's new human scans. Returns undefined if there are none. */
  add(scans: readonly HumanScan[]): NewCall | undefined {
    if (scans.length === 0) return undefined;
    const slot = (this.#last.slot + 1) % liveCalls;
    const number = this.#last.number + scans.length;
    const ids = scans.slice(0, liveScans).map(({ id }) => id);
    this.parts.sql.exec(
      `INSERT INTO recent_scans (slot, number, ids) VALUES (?, ?, unhex(?))
       ON CONFLICT (slot) DO UPDATE SET number = excluded.number, ids = excluded.ids`,
      slot,
      number,
      ids.join(""),
    );
    this.#latest = { slot, number };
    return { number, count: scans.length, ids, scans };
  }

  /**
   * Returns the calls that recorded scans after a number, oldest first. Calls that the ring has dropped are returned as
   * one, without ids.
   * @param after at most the last scan's number
   */
  since(after: number): RecentCall[] {
    const rows = this.parts.sql
      .exec<RecentCallRow>("SELECT slot, number, lower(hex(ids)) AS ids FROM recent_scans ORDER BY number")
      .toArray();
    const calls = rows.map(({ number, ids }, i): RecentCall => {
      const previous = rows[i - 1]?.number;
      // A row has only the number of its last scan. If the row before it was replaced, the number of its first is
      // unknown.
      if (previous === undefined && rows.length === liveCalls) return { number, count: number, ids: [] };
      return { number, count: number - (previous ?? 0), ids: splitIds(ids) };
    });
    return calls.filter(({ number }) => number > after);
  }
}

const splitIds = (digits: string): string[] =>
  Array.from({ length: digits.length / idDigits }, (_, i) => digits.slice(i * idDigits, (i + 1) * idDigits));
