import { Counts } from "../../../lib/packed/counts.ts";
import { idsFrom } from "../../../lib/text/ids.ts";
import type { CodeScans } from "../../../protocol/analytics.ts";
import { LedgerPart } from "../part.ts";
import type { RawScans } from "../scans/raw-scans.ts";
import { hourWidth } from "./day-sums.ts";
import type { LedgerGenerations } from "./generations.ts";
import type { CodeTotal, LedgerLastScans } from "./last-scans.ts";

/** Short series for lists of codes, from rollups and the scans after their cursor. */
export class LedgerSparklines extends LedgerPart<{
  sql: SqlStorage;
  generations: LedgerGenerations;
  rawScans: RawScans;
  lastScans: LedgerLastScans;
}> {
  /**
   * Returns the human scans of codes, in the order of the ids: in total, and on each of the last days of the reporting
   * time zone, oldest first, with the last one. Reads one row per code and day, and one per code.
   * @param days how many, including today
   * @param now epoch milliseconds
   */
  compute(qrIds: readonly string[], days: number, now: number): CodeScans[] {
    const { ref: generation, zone, cursor } = this.parts.generations.active;
    const to = zone.dayOf(now);
    const from = to - days + 1;
    const codes = this.#codes(qrIds);
    const series = new Map([...codes.values()].map(({ ref }) => [ref, new Array<number>(days).fill(0)]));
    const add = (code: number, day: number, scans: number) => {
      const sums = series.get(code);
      if (sums !== undefined) sums[day - from] = (sums[day - from] ?? 0) + scans;
    };
    const refs = [...series.keys()];
    for (const { code, day, hours } of this.#rollups(generation, refs, from, to)) {
      const counts = new Counts(hourWidth);
      counts.addPacked(new Uint8Array(hours));
      add(code, day, counts.total(0));
    }
    const start = idsFrom(Math.max(0, zone.startOf(from)));
    const after = cursor > start ? cursor : start;
    const before = idsFrom(Math.max(0, zone.startOf(to + 1)));
    for (const scan of this.parts.rawScans.ofCodes(new Set(refs), { after, before })) {
      if (!scan.isBot) add(scan.code, zone.dayOf(scan.time), 1);
    }
    return qrIds.map((qrId) => {
      const code = codes.get(qrId);
      return {
        qrId,
        total: code?.scans ?? 0,
        days: series.get(code?.ref ?? 0) ?? new Array<number>(days).fill(0),
        lastScanAt: code === undefined ? null : this.parts.lastScans.of(code),
      };
    });
  }

  /** Returns the references and totals of codes. A code without scans has none. */
  #codes(qrIds: readonly string[]): Map<string, CodeTotal> {
    const rows = this.parts.sql.exec<{ id: string; ref: number; scans: number; stored_from: number }>(
      `SELECT c.qr_id AS id, c.ref, c.scans, c.stored_from
       FROM json_each(?) q CROSS JOIN codes c ON c.qr_id = q.value`,
      JSON.stringify(qrIds),
    );
    return new Map(
      [...rows].map(({ id, ref, scans, stored_from }) => [id, { ref, scans, storedFrom: stored_from }]),
    );
  }

  #rollups(generation: number, refs: readonly number[], from: number, to: number) {
    return this.parts.sql.exec<{ code: number; day: number; hours: ArrayBuffer }>(
      `SELECT r.code, r.day, r.hours FROM json_each(?) c CROSS JOIN rollups r
       WHERE r.generation = ? AND r.code = c.value AND r.day BETWEEN ? AND ?`,
      JSON.stringify(refs),
      generation,
      from,
      to,
    );
  }
}
