import type {
  AnalyticsPoint,
  AnalyticsSums,
  DistinctVisitors,
  Interval,
} from "../../../contract/resources/scans/analytics.ts";
import { visitPacked } from "../../../lib/packed/counts.ts";
import { Distinct, sketchError, type UnpackedSet, unpackSet } from "../../../lib/packed/distinct.ts";
import { weekday } from "../../../lib/time/calendar.ts";
import type { Zone } from "../../../lib/time/zone.ts";
import { hourWidth, type RollupRow } from "./day-sums.ts";
import { type CountedColumn, DimensionCounts } from "./report-dimensions.ts";
import type { Steps } from "./report-period.ts";
import { workspaceCode } from "./rollups.ts";

/** A day's sums for a report: a row of rollups, or scans that are not folded yet. */
export type DayRow = RollupRow & {
  /** The code they belong to. `workspaceCode` stands for several, which `codes` tells apart. */
  code: number;
  day: number;
  /** The time zone of a day from an earlier generation; null for the generation's own. */
  zone: string | null;
};

/** Visitors are counted exactly up to this many, at 8 bytes each, and estimated beyond. */
const exactVisitors = 20_000;

/** The sums of a period or of one of its steps. */
class PeriodSums {
  #scans = 0;
  #newVisitors = 0;
  #botScans = 0;
  #lacksVisitors = false;
  readonly #visitors = new Distinct({ exactLimit: exactVisitors });

  addScans(scans: number, newVisitors: number, botScans: number): void {
    this.#scans += scans;
    this.#newVisitors += newVisitors;
    this.#botScans += botScans;
  }

  /** Adds a set of visitors. @param isComplete whether it covers all scans */
  addVisitors(set: UnpackedSet, isComplete: boolean): void {
    if (!isComplete) this.#lacksVisitors = true;
    this.#visitors.addUnpacked(set);
  }

  /** Returns the sums. @param withVisitors false if visitors are unknown at this resolution */
  present(withVisitors = true): AnalyticsSums {
    return {
      scans: this.#scans,
      newVisitors: this.#newVisitors,
      visitors: withVisitors && !this.#lacksVisitors ? presentVisitors(this.#visitors) : null,
      botScans: this.#botScans,
    };
  }
}

/** The sums of a period, of each of its steps, and by dimension. */
export class ReportSums {
  readonly counts = new DimensionCounts();
  readonly daysWithoutVisitors = new Set<number>();
  readonly #steps: Steps;
  readonly #interval: Interval;
  readonly #columns: ReadonlySet<CountedColumn>;
  readonly #totals = new PeriodSums();
  readonly #series: readonly PeriodSums[];

  constructor(steps: Steps, interval: Interval, columns: ReadonlySet<CountedColumn>) {
    this.#steps = steps;
    this.#interval = interval;
    this.#columns = columns;
    this.#series = steps.starts.map(() => new PeriodSums());
  }

  /** Adds a day. @param zone the time zone in which it was counted */
  add(row: DayRow, zone: Zone): void {
    if (row.visitors === null) this.daysWithoutVisitors.add(row.day);
    this.#addHours(row, zone);
    this.#addVisitors(row);
    for (const column of this.#columns) {
      // A single code's row doesn't count by code: the code is counted with the hours.
      const isCounted = column === "codes" && row.code !== workspaceCode;
      if (!isCounted) this.counts[column].addPacked(new Uint8Array(row[column]));
    }
  }

  /** Returns the totals and the series. @param zone the report's time zone */
  present(zone: Zone): { totals: AnalyticsSums; series: AnalyticsPoint[] } {
    const series = this.#series.map((sums, i) => ({
      start: zone.format(this.#steps.starts[i] ?? 0),
      ...sums.present(this.#interval !== "hour"),
    }));
    return { totals: this.#totals.present(), series };
  }

  #addHours({ code, day, hours }: DayRow, zone: Zone): void {
    const slots = zone.hoursOf(day);
    const midnight = weekday(day) * 24;
    let dayScans = 0;
    visitPacked(new Uint8Array(hours), hourWidth, (slot, [scans = 0, newVisitors = 0, botScans = 0]) => {
      this.#totals.addScans(scans, newVisitors, botScans);
      this.#series[this.#steps.indexOf(day, slot)]?.addScans(scans, newVisitors, botScans);
      const hour = midnight + (slots[slot]?.hour ?? 0);
      this.counts.hours[hour] = (this.counts.hours[hour] ?? 0) + scans;
      dayScans += scans;
    });
    if (code !== workspaceCode && dayScans > 0) this.counts.codes.add(code, dayScans);
  }

  #addVisitors({ day, visitors, visitor_set }: DayRow): void {
    const set = unpackSet(new Uint8Array(visitor_set));
    this.#totals.addVisitors(set, visitors !== null);
    if (this.#interval === "hour") return;
    this.#series[this.#steps.indexOf(day, 0)]?.addVisitors(set, visitors !== null);
  }
}

function presentVisitors(visitors: Distinct): DistinctVisitors {
  const { count, exact } = visitors.count();
  return { count, exact, error: exact ? null : sketchError };
}
