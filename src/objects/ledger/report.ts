import type { Analytics, Dimension } from "../../contract/resources/analytics.ts";
import { Counts } from "../../lib/packed/counts.ts";
import { formatDay, weekday } from "../../lib/time/calendar.ts";
import { idsFrom } from "../../lib/text/ids.ts";
import type { AnalyticsRequest, AnalyticsResult } from "../../protocol/analytics.ts";
import { DaySums, hourWidth, type PackedColumn, type RollupRow } from "./day-sums.ts";
import type { Generation, LedgerGenerations } from "./generations.ts";
import { highestId, type IdRange, type RawScans } from "./raw-scans.ts";
import { columnOf, DimensionCounts, DimensionPresenter } from "./report-dimensions.ts";
import { comparedPeriod, datesOf, type Period, periodOf, type Steps, stepsOf } from "./report-period.ts";
import { PeriodSums } from "./report-sums.ts";
import { workspaceCode } from "./rollups.ts";

/** What a report reads of a day: a row of rollups, or the scans that are not folded yet. */
type DayRow = Pick<RollupRow, "visitors" | "visitor_set" | PackedColumn> & {
  day: number;
  /** The zone of a day that was taken over; null for that of the generation. */
  zone: string | null;
};

/** The sums of a period, and by steps and dimensions. */
interface PeriodReport {
  readonly totals: PeriodSums;
  readonly series: readonly PeriodSums[];
  readonly steps: Steps;
  readonly counts: DimensionCounts;
  readonly otherZoneUntil: number | null;
  readonly daysWithoutVisitors: ReadonlySet<number>;
}

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
    const present = ({ totals, series, steps }: PeriodReport) => ({
      totals: totals.present(),
      series: series.map((sums, i) => ({
        start: zone.format(steps.starts[i] ?? 0),
        ...sums.present(interval !== "hour"),
      })),
    });
    const { otherZoneUntil, daysWithoutVisitors } = report;
    return {
      timeZone: zoneName,
      interval,
      ...datesOf(period),
      ...present(report),
      dimensions: Object.fromEntries(
        request.dimensions.map((dimension) => [
          dimension,
          this.#dimensions.present(dimension, report.counts, limit),
        ]),
      ),
      comparison: other && compared ? { ...datesOf(other), ...present(compared) } : null,
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
  ): PeriodReport {
    const steps = stepsOf(period, interval, generation.zone);
    const totals = new PeriodSums();
    const series = steps.starts.map(() => new PeriodSums());
    const counts = new DimensionCounts();
    const columns = columnsOf(dimensions);
    const daysWithoutVisitors = new Set<number>();
    let otherZoneUntil: number | null = null;
    const add = (row: DayRow) => {
      const zone = row.zone === null ? generation.zone : this.#generations.zone(row.zone);
      if (row.zone !== null) otherZoneUntil = Math.max(row.day, otherZoneUntil ?? row.day);
      if (row.visitors === null) daysWithoutVisitors.add(row.day);
      const hours = new Counts(hourWidth);
      hours.addPacked(new Uint8Array(row.hours));
      const slots = zone.hoursOf(row.day);
      for (const [slot, [scans = 0, newVisitors = 0, botScans = 0]] of hours) {
        totals.addScans(scans, newVisitors, botScans);
        series[steps.indexOf(row.day, slot)]?.addScans(scans, newVisitors, botScans);
        if (scans > 0) counts.hours.add(weekday(row.day) * 24 + (slots[slot]?.hour ?? 0), scans);
      }
      const visitors = new Uint8Array(row.visitor_set);
      totals.addVisitors(visitors, row.visitors !== null);
      if (interval !== "hour") {
        series[steps.indexOf(row.day, 0)]?.addVisitors(visitors, row.visitors !== null);
      }
      for (const column of columns) {
        if (column !== "hours") counts[column].addPacked(new Uint8Array(row[column]));
      }
    };
    for (const row of this.#folded(generation, refs, period, columns)) add(row);
    for (const row of this.#unfolded(generation, refs, period)) add(row);
    return { totals, series, steps, counts, otherZoneUntil, daysWithoutVisitors };
  }

  #folded(
    { ref }: Generation,
    refs: ReadonlySet<number>,
    { from, to }: Period,
    columns: ReadonlySet<PackedColumn>,
  ): Iterable<DayRow> {
    return this.#sql.exec<DayRow>(
      `SELECT day, zone, visitors, visitor_set, ${["hours", ...columns].join(", ")}
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
      sums.add(scan, slot, isWorkspace);
    }
    for (const [day, sums] of days) yield { day, zone: null, ...sums.toRow() };
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

/** The columns that dimensions read. */
const columnsOf = (dimensions: readonly Dimension[]): ReadonlySet<PackedColumn> =>
  new Set(dimensions.map((dimension) => columnOf[dimension]).filter((column) => column !== "hours"));

const laterOf = (a: IdRange["after"], b: string): string => (a > b ? a : b);
