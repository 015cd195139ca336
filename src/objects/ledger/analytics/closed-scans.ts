import { limits } from "../../../contract/limits.ts";
import type { ClosedReason } from "../../../contract/resources/enums.ts";
import type { ClosedScans } from "../../../contract/resources/scans/scans.ts";
import { idToHex, timeOfId } from "../../../lib/text/ids.ts";
import { formatDay } from "../../../lib/time/calendar.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { ClosedCounts, ScanBatch } from "../../../protocol/messages.ts";
import type {
  ClosedCode,
  ClosedCountPage,
  ClosedPosition,
  DomainVisitCounts,
} from "../../../protocol/workspace-ledger.ts";
import { LedgerPart } from "../part.ts";
import type { LedgerScans } from "../scans/scans.ts";
import type { LedgerGenerations } from "./generations.ts";

/** Scans of codes that got no target, and visits of domains' own addresses: counts by day, and no row for each. */
export class LedgerClosedScans extends LedgerPart<{
  sql: SqlStorage;
  scans: LedgerScans;
  generations: LedgerGenerations;
}> {
  /**
   * Adds counts. Ignores those that were added before (same id), and those from before their code's scans were erased
   * with their sums. Ids are kept as long as those of scans without rows. Call it in a transaction.
   * @returns whether any were new
   */
  record(batches: readonly ScanBatch[], now: number): boolean {
    const all = new Map(
      batches.flatMap(({ closed }) =>
        closed === undefined ? [] : [[idToHex(closed.id).toLowerCase(), closed]],
      ),
    );
    if (all.size === 0) return false;
    const added = this.parts.sql
      .exec<{ id: string }>(
        `INSERT INTO counted_scans (id) SELECT unhex(value) FROM json_each(?) WHERE true
         ON CONFLICT (id) DO NOTHING RETURNING lower(hex(id)) AS id`,
        JSON.stringify([...all.keys()]),
      )
      .toArray();
    const scans = new Sums();
    const visits = new Sums();
    for (const { id } of added) this.#sum(id, all.get(id), { scans, visits }, now);
    this.parts.sql.exec(
      `INSERT INTO closed_scans (code, reason, day, scans)
       SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each(?) WHERE true
       ON CONFLICT (code, reason, day) DO UPDATE SET scans = scans + excluded.scans`,
      scans.toJson(),
    );
    this.parts.sql.exec(
      `INSERT INTO domain_visits (host, day, visits)
       SELECT value->>0, value->>1, value->>2 FROM json_each(?) WHERE true
       ON CONFLICT (host, day) DO UPDATE SET visits = visits + excluded.visits`,
      visits.toJson(),
    );
    return added.length > 0;
  }

  #sum(
    id: string,
    counts: ClosedCounts | undefined,
    sums: Record<"scans" | "visits", Sums>,
    now: number,
  ): void {
    const day = this.#dayOf(timeOfId(id));
    for (const { reason, scans, ...scanned } of counts?.codes ?? []) {
      const { ref, countedFrom } = this.parts.scans.codeRef(scanned, now);
      if (id >= countedFrom) sums.scans.add([ref, reason, day], scans);
    }
    for (const { host, visits } of counts?.domains ?? []) sums.visits.add([host, day], visits);
  }

  /** Returns a code's counts. Reads a row for each reason and day. */
  of(qrId: string): ClosedScans {
    const rows = this.parts.sql
      .exec<{ reason: ClosedReason; day: number; scans: number }>(
        `SELECT s.reason, s.day, s.scans FROM codes c CROSS JOIN closed_scans s ON s.code = c.ref
         WHERE c.qr_id = ? ORDER BY s.day DESC, s.reason`,
        qrId,
      )
      .toArray();
    const total = (some: readonly { scans: number }[]) => some.reduce((sum, { scans }) => sum + scans, 0);
    return {
      total: total(rows),
      reasons: Array.from(
        Map.groupBy(rows, ({ reason }) => reason),
        ([reason, own]) => ({
          reason,
          scans: total(own),
          firstDay: formatDay(own.at(-1)?.day ?? 0),
          lastDay: formatDay(own[0]?.day ?? 0),
        }),
      ),
      days: rows.slice(0, limits.closedDays).map(({ day, ...row }) => ({ day: formatDay(day), ...row })),
    };
  }

  /**
   * Returns the codes that were scanned without a target on the last days, each with each of its reasons, the most
   * scanned first. Reads at most `bounds.closedCounts` counts, the newest.
   * @param days including today
   * @param limit maximum number of codes with a reason
   */
  recent(days: number, limit: number, now: number): ClosedCode[] {
    return this.parts.sql
      .exec<{ qr_id: string; reason: ClosedReason; scans: number; day: number }>(
        `SELECT c.qr_id, s.reason, sum(s.scans) AS scans, max(s.day) AS day FROM
           (SELECT code, reason, scans, day FROM closed_scans INDEXED BY closed_scans_by_day
            WHERE day > ? ORDER BY day DESC LIMIT ?) s CROSS JOIN codes c ON c.ref = s.code
         GROUP BY s.code, s.reason ORDER BY 3 DESC, 1 LIMIT ?`,
        this.#dayOf(now) - days,
        bounds.closedCounts,
        limit,
      )
      .toArray()
      .map(({ qr_id, reason, scans, day }) => ({ qrId: qr_id, reason, scans, lastDay: formatDay(day) }));
  }

  /** Returns a page of the counts of all codes, in the order of their key. Reads a row and its code for each. */
  page(after: ClosedPosition | null, limit: number): ClosedCountPage {
    const { code, reason, day } = after ?? { code: 0, reason: "", day: 0 };
    const rows = this.parts.sql
      .exec<{ code: number; qr_id: string; hash: string; reason: ClosedReason; day: number; scans: number }>(
        `SELECT s.code, c.qr_id, c.hash, s.reason, s.day, s.scans FROM closed_scans s CROSS JOIN codes c ON c.ref = s.code
         WHERE (s.code, s.reason, s.day) > (?, ?, ?) ORDER BY s.code, s.reason, s.day LIMIT ?`,
        code,
        reason,
        day,
        limit,
      )
      .toArray();
    const last = rows.length < limit ? undefined : rows.at(-1);
    return {
      counts: rows.map((row) => ({
        ...{ qrId: row.qr_id, hash: row.hash, day: formatDay(row.day), reason: row.reason },
        scans: row.scans,
      })),
      next: last === undefined ? null : { code: last.code, reason: last.reason, day: last.day },
    };
  }

  /** Returns the visits of a domain's own address: in total, and on each of the last days, oldest first. */
  visitsOf(host: string, days: number, now: number): DomainVisitCounts {
    const from = this.#dayOf(now) - days + 1;
    const rows = this.parts.sql
      .exec<{ day: number; visits: number }>("SELECT day, visits FROM domain_visits WHERE host = ?", host)
      .toArray();
    const byDay = new Map(rows.map(({ day, visits }) => [day, visits]));
    return {
      total: rows.reduce((sum, { visits }) => sum + visits, 0),
      from: formatDay(from),
      days: Array.from({ length: days }, (_, i) => byDay.get(from + i) ?? 0),
    };
  }

  #dayOf(time: number): number {
    return this.parts.generations.active.zone.dayOf(time);
  }

  /** Removes the counts of a reference. */
  removeCode(ref: number): void {
    this.parts.sql.exec("DELETE FROM closed_scans WHERE code = ?", ref);
  }
}

/** Counts by key. */
class Sums {
  readonly #counts = new Map<string, { readonly key: readonly (string | number)[]; count: number }>();

  add(key: readonly (string | number)[], count: number): void {
    const text = key.join("\n");
    const known = this.#counts.get(text);
    if (known === undefined) this.#counts.set(text, { key, count });
    else known.count += count;
  }

  /** Returns rows of a key's values and its count. */
  toJson(): string {
    return JSON.stringify(Array.from(this.#counts.values(), ({ key, count }) => [...key, count]));
  }
}
