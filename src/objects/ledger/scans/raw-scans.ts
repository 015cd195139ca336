import { idsFrom, timeOfId } from "../../../lib/text/ids.ts";
import { LedgerPart } from "../part.ts";
import type { RecordedScans } from "./scans.ts";

/** A scan as rollups and reports count it, with references to shared values. */
export interface ScanFacts {
  /** 32 hex digits. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly code: number;
  /** Whether it is by a bot or a prefetch. Only the time and code of such scans are counted. */
  readonly isBot: boolean;
  readonly client: number;
  readonly place: number;
  readonly referrer: number;
  /** 8 bytes; null if the scan was recorded without its visitor. */
  readonly visitor: Uint8Array | null;
  /** Whether it is the visitor's first scan of the code. */
  readonly isFirst: boolean;
}

/** A range of ids, 32 hex digits each; both bounds are exclusive. */
export interface IdRange {
  readonly after: string;
  readonly before: string;
}

/** Below and above every scan id. */
export const lowestId = idsFrom(0);
export const highestId = "f".repeat(32);

/** Returns the facts of newly recorded scans. @param keptVisitors whether visitors are stored */
export function factsOf({ humans, firsts, bots }: RecordedScans, keptVisitors: boolean): ScanFacts[] {
  return [
    ...humans.map((scan) => ({
      ...identity(scan),
      isBot: false,
      client: scan.agent.client,
      place: scan.place.ref,
      referrer: scan.referrer,
      visitor: keptVisitors ? Uint8Array.fromHex(scan.visitor) : null,
      isFirst: firsts.has(scan),
    })),
    ...bots.map((scan) => ({ ...identity(scan), ...bot })),
  ];
}

const identity = ({ id, code }: { readonly id: string; readonly code: { readonly ref: number } }) => ({
  id,
  time: timeOfId(id),
  code: code.ref,
});

const bot = { isBot: true, client: 0, place: 0, referrer: 0, visitor: null, isFirst: false } as const;

/** A condition that excludes erased scans from rows `s` of raw scans. Their rows remain for a while. */
export const notErased = "NOT EXISTS (SELECT 1 FROM erasures e WHERE e.code = s.code AND s.id < e.before)";

/** Reads a ledger's raw scans. */
export class RawScans extends LedgerPart<{ sql: SqlStorage }> {
  /**
   * Yields scans of all codes by ascending id: first those by humans, then those by bots. @param limit for each of the
   * two; -1 for none
   */
  *all({ after, before }: IdRange, limit: number): Generator<ScanFacts> {
    const range = "id > unhex(?) AND id < unhex(?) ORDER BY id LIMIT ?";
    yield* this.#humans(`${humanColumns} FROM scans s ${withAgent} WHERE s.${range}`, after, before, limit);
    yield* this.#bots(`SELECT hex(id) AS digits, code FROM bot_scans WHERE ${range}`, after, before, limit);
  }

  /**
   * Yields scans of some codes, in no particular order. Reads these codes' human scans, and all bot scans in the range.
   */
  *ofCodes(codes: ReadonlySet<number>, { after, before }: IdRange): Generator<ScanFacts> {
    yield* this.#humans(
      `${humanColumns} FROM json_each(?) c CROSS JOIN scans s INDEXED BY scans_by_code ON s.code = c.value
         AND s.id > unhex(?) AND s.id < unhex(?) ${withAgent}`,
      JSON.stringify([...codes]),
      after,
      before,
    );
    const bots = this.#bots(
      "SELECT hex(id) AS digits, code FROM bot_scans WHERE id > unhex(?) AND id < unhex(?)",
      after,
      before,
    );
    for (const scan of bots) if (codes.has(scan.code)) yield scan;
  }

  /** The references whose scans were erased with their sums. Remaining rows must not be counted. */
  erasedCodes(): ReadonlySet<number> {
    const rows = this.parts.sql.exec<{ code: number }>("SELECT code FROM erasures WHERE sums = 1");
    return new Set([...rows].map(({ code }) => code));
  }

  /** Counts the human scans in a range. Reads each of them. */
  countHumans({ after, before }: IdRange): number {
    return this.parts.sql
      .exec<{ n: number }>(
        `SELECT count(*) AS n FROM scans WHERE id > unhex(?) AND id < unhex(?)
         AND code NOT IN (SELECT code FROM erasures WHERE sums = 1)`,
        after,
        before,
      )
      .one().n;
  }

  /** Returns the first scan after an id: 32 hex digits; null if there is none. */
  firstAfter(id: string): string | null {
    const { digits } = this.parts.sql
      .exec<{ digits: string }>(
        `SELECT lower(hex(min(id))) AS digits FROM
           (SELECT min(id) AS id FROM scans WHERE id > unhex(?1)
            UNION ALL SELECT min(id) FROM bot_scans WHERE id > unhex(?1))`,
        id,
      )
      .one();
    return digits || null;
  }

  /** The time of the oldest scan, epoch milliseconds; null if there is none. */
  get oldestTime(): number | null {
    const first = this.firstAfter(lowestId);
    return first === null ? null : timeOfId(first);
  }

  /** Whether there are scans in a range. */
  hasAny({ after, before }: IdRange): boolean {
    return (this.firstAfter(after) ?? before) < before;
  }

  /** Counts the scans after an id, up to a limit. */
  count(after: string, limit: number): number {
    return this.parts.sql
      .exec<{ n: number }>(
        `SELECT (SELECT count(*) FROM (SELECT 1 FROM scans WHERE id > unhex(?1) LIMIT ?2)) +
           (SELECT count(*) FROM (SELECT 1 FROM bot_scans WHERE id > unhex(?1) LIMIT ?2)) AS n`,
        after,
        limit,
      )
      .one().n;
  }

  *#humans(sql: string, ...values: (string | number)[]): Generator<ScanFacts> {
    for (const row of this.parts.sql.exec<HumanRow>(sql, ...values)) {
      const { digits, code, client, place, referrer, visitor, first } = row;
      yield {
        id: digits.toLowerCase(),
        time: timeOfId(digits),
        code,
        isBot: false,
        client,
        place,
        referrer,
        visitor: visitor && new Uint8Array(visitor),
        isFirst: first === 1,
      };
    }
  }

  *#bots(sql: string, ...values: (string | number)[]): Generator<ScanFacts> {
    for (const { digits, code } of this.parts.sql.exec<BotRow>(sql, ...values)) {
      yield { id: digits.toLowerCase(), time: timeOfId(digits), code, ...bot };
    }
  }
}

const humanColumns = "SELECT hex(s.id) AS digits, s.code, a.client, s.place, s.referrer, s.visitor, s.first";
const withAgent = "JOIN agents a ON a.ref = s.agent";

type BotRow = { digits: string; code: number };
type HumanRow = BotRow & {
  client: number;
  place: number;
  referrer: number;
  visitor: ArrayBuffer | null;
  first: number;
};
