import type { Analytics } from "../../contract/resources/analytics.ts";
import { formatDay } from "../../lib/time/calendar.ts";
import { idsFrom } from "../../lib/text/ids.ts";
import type { AnalyticsRequest, AnalyticsResult } from "../../protocol/analytics.ts";
import { DaySums, type PackedColumn } from "./day-sums.ts";
import type { Generation, LedgerGenerations } from "./generations.ts";
import { highestId, type IdRange, type RawScans } from "./raw-scans.ts";
import { columnsOf, DimensionPresenter } from "./report-dimensions.ts";
import { comparedPeriod, datesOf, type Period, periodOf, stepsOf } from "./report-period.ts";
import { type DayRow, ReportSums } from "./report-sums.ts";
import { workspaceCode } from "./rollups.ts";

/**
 * Reports on scans: rollups, and the scans after their cursor. They read rows in proportion to days and distinct values,
 * whatever the number of scans.
 */
export class LedgerReport {
  readonly #sql: SqlStorage;
  readonly #generations: LedgerGenerations;
  readonly #raw: RawScans;
  readonly #dimensions: DimensionPresenter;

  constructor(sql: SqlStorage, generations: LedgerGenerations, raw: RawScans) {
    this.#sql = sql;
    this.#generations = generations;
    this.#raw = raw;
    this.#dimensions = new DimensionPresenter(sql);
  }

  /** Computes a report. @param now epoch milliseconds @returns why it can't be computed, if so */
  compute(request: AnalyticsRequest, now: number): AnalyticsResult {
    const generation = this.#generations.active;
    const { zone, zoneName } = generation;
    const period = periodOf(request, zone, now);
    if ("problem" in period) return period;
    const { interval, limit, compare } = request;
    const refs = this.#codeRefs(request.qrIds);
    const report = this.#report(generation, refs, period, request);
    const other = compare && comparedPeriod(period, compare);
    const compared = other && this.#report(generation, refs, other, { ...request, dimensions: [] });
    const { otherZoneUntil, daysWithoutVisitors } = report;
    return {
      timeZone: zoneName,
      interval,
      ...datesOf(period),
      ...report.present(zone),
      dimensions: Object.fromEntries(
        request.dimensions.map((dimension) => [
          dimension,
          this.#dimensions.present(dimension, report.counts, limit),
        ]),
      ),
      comparison: other && compared ? { ...datesOf(other), ...compared.present(zone) } : null,
      allTime: this.#allTime(request.qrIds, generation),
      rebuilding: this.rebuilding(),
      incomplete: {
        otherTimeZoneUntil: otherZoneUntil === null ? null : formatDay(otherZoneUntil),
        daysWithoutVisitors: daysWithoutVisitors.size,
      },
    };
  }

  /** The time zone that rollups are being built for, and how far they are; null if none is. */
  rebuilding(): Analytics["rebuilding"] {
    const building = this.#generations.list().find(({ state }) => state === "building");
    if (building === undefined) return null;
    const total = this.#scansOf(this.#generations.active);
    return { timeZone: building.zoneName, progress: total === 0 ? 1 : Math.min(1, building.scans / total) };
  }

  /** The references of codes; that of the workspace for null. Codes without scans have none. */
  #codeRefs(qrIds: readonly string[] | null): ReadonlySet<number> {
    if (qrIds === null) return new Set([workspaceCode]);
    const rows = this.#sql.exec<{ ref: number }>(
      "SELECT c.ref FROM json_each(?) q CROSS JOIN codes c ON c.qr_id = q.value",
      JSON.stringify(qrIds),
    );
    return new Set([...rows].map(({ ref }) => ref));
  }

  #report(
    generation: Generation,
    refs: ReadonlySet<number>,
    period: Period,
    { interval, dimensions }: Pick<AnalyticsRequest, "interval" | "dimensions">,
  ): ReportSums {
    const columns = columnsOf(dimensions);
    const sums = new ReportSums(stepsOf(period, interval, generation.zone), interval, columns);
    for (const row of this.#folded(generation, refs, period, columns)) {
      sums.add(row, row.zone === null ? generation.zone : this.#generations.zone(row.zone));
    }
    for (const row of this.#unfolded(generation, refs, period)) sums.add(row, generation.zone);
    return sums;
  }

  #folded(
    { ref }: Generation,
    refs: ReadonlySet<number>,
    { from, to }: Period,
    columns: ReadonlySet<PackedColumn>,
  ): Iterable<DayRow> {
    return this.#sql.exec<DayRow>(
      `SELECT r.code, day, zone, visitors, visitor_set, ${["hours", ...columns].join(", ")}
       FROM json_each(?) c CROSS JOIN rollups r
       WHERE r.generation = ? AND r.code = c.value AND r.day BETWEEN ? AND ?`,
      JSON.stringify([...refs]),
      ref,
      from,
      to,
    );
  }

  /** The scans after the generation's cursor, as rows of rollups. */
  *#unfolded({ zone, cursor }: Generation, refs: ReadonlySet<number>, period: Period): Generator<DayRow> {
    const range = laterOf(cursor, idsFrom(Math.max(0, zone.startOf(period.from))));
    const before = idsFrom(Math.max(0, zone.startOf(period.to + 1)));
    const isWorkspace = refs.has(workspaceCode);
    const scans = isWorkspace
      ? this.#raw.all({ after: range, before }, -1)
      : this.#raw.ofCodes(refs, { after: range, before });
    const days = new Map<number, DaySums>();
    for (const scan of scans) {
      const { day, slot } = zone.slotOf(scan.time);
      let sums = days.get(day);
      if (sums === undefined) {
        sums = new DaySums();
        days.set(day, sums);
      }
      sums.add(scan, slot, true);
    }
    for (const [day, sums] of days) yield { code: workspaceCode, day, zone: null, ...sums.toRow() };
  }

  #allTime(qrIds: readonly string[] | null, generation: Generation): Analytics["allTime"] {
    if (qrIds === null) return { scans: this.#scansOf(generation), visitors: null };
    const { scans, visitors } = this.#sql
      .exec<{ scans: number; visitors: number }>(
        `SELECT coalesce(sum(scans), 0) AS scans, coalesce(sum(visitors), 0) AS visitors
         FROM json_each(?) q CROSS JOIN codes c ON c.qr_id = q.value`,
        JSON.stringify(qrIds),
      )
      .one();
    return { scans, visitors: qrIds.length === 1 ? visitors : null };
  }

  /** All human scans of the workspace: those of the generation and those after its cursor. */
  #scansOf({ scans, cursor }: Generation): number {
    return scans + this.#raw.countHumans({ after: cursor, before: highestId });
  }
}

const laterOf = (a: IdRange["after"], b: string): string => (a > b ? a : b);
