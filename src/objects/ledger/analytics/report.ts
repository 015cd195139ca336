import type { Analytics } from "../../../contract/resources/scans/analytics.ts";
import { idsFrom } from "../../../lib/text/ids.ts";
import { formatDay } from "../../../lib/time/calendar.ts";
import type { AnalyticsRequest, AnalyticsResult } from "../../../protocol/analytics.ts";
import { LedgerPart } from "../part.ts";
import { highestId, type IdRange, type RawScans } from "../scans/raw-scans.ts";
import { DaySums, type PackedColumn } from "./day-sums.ts";
import type { Generation, LedgerGenerations, ZonedSlot } from "./generations.ts";
import { columnsOf, type DimensionPresenter } from "./report-dimensions.ts";
import { comparedPeriod, datesOf, type Period, periodOf, stepsOf } from "./report-period.ts";
import { type DayRow, ReportSums } from "./report-sums.ts";
import { workspaceCode } from "./rollups.ts";

/**
 * Reports on scans, from rollups and the scans after their cursor. They read rows in proportion to days and distinct
 * values, regardless of the number of scans.
 */
export class LedgerReport extends LedgerPart<{
  sql: SqlStorage;
  generations: LedgerGenerations;
  rawScans: RawScans;
  dimensions: DimensionPresenter;
}> {
  /** Computes a report, or returns why it can't. @param now epoch milliseconds */
  compute(request: AnalyticsRequest, now: number): AnalyticsResult {
    const generation = this.parts.generations.active;
    const { zone, zoneName } = generation;
    const period = periodOf(request, zone, now);
    if ("problem" in period) return period;
    const { interval, limit, compare, after } = request;
    const refs = this.#codeRefs(request.qrIds);
    const report = this.#report(generation, refs, period, request);
    const other = compare && comparedPeriod(period, compare);
    const compared = other && this.#report(generation, refs, other, { ...request, dimensions: [] });
    const otherZoneUntil = otherZoneIn(generation, period);
    const { dimensions } = this.parts;
    const named = request.dimensions.filter((dimension) => dimension !== "code");
    const codes = request.dimensions.includes("code")
      ? dimensions.codes(report.counts, limit, after)
      : undefined;
    return {
      timeZone: zoneName,
      interval,
      ...datesOf(period),
      ...report.present(zone),
      dimensions: {
        ...Object.fromEntries(
          named.map((dimension) => [dimension, dimensions.present(dimension, report.counts, limit)]),
        ),
        ...(codes !== undefined && { code: codes.page }),
      },
      next: codes?.next,
      comparison: other && compared ? { ...datesOf(other), ...compared.present(zone) } : null,
      allTime: this.#allTime(request.qrIds, generation),
      rebuilding: this.rebuilding(),
      incomplete: {
        otherTimeZoneUntil: otherZoneUntil === null ? null : formatDay(otherZoneUntil),
        daysWithoutVisitors: report.daysWithoutVisitors.size,
        visitorsChangedOn: this.#visitorsChangedIn(generation, period),
      },
    };
  }

  /** The day of a period on which visitors began to be told apart in another way; null for none. */
  #visitorsChangedIn({ zone }: Generation, { from, to }: Period): string | null {
    const changes = this.parts.sql.exec<{ at: number }>("SELECT at FROM visitor_changes ORDER BY at");
    const days = Array.from(changes, ({ at }) => zone.dayOf(at));
    const day = days.find((each) => each >= from && each <= to);
    return day === undefined ? null : formatDay(day);
  }

  /** The time zone for which rollups are being built, and their progress; null if none are. */
  rebuilding(): Analytics["rebuilding"] {
    const { building } = this.parts.generations;
    if (building === undefined) return null;
    const total = this.#scansOf(this.parts.generations.active);
    return { timeZone: building.zoneName, progress: total === 0 ? 1 : Math.min(1, building.scans / total) };
  }

  /** Returns the references of codes; for null, the workspace's. Codes without scans have none. */
  #codeRefs(qrIds: readonly string[] | null): ReadonlySet<number> {
    if (qrIds === null) return new Set([workspaceCode]);
    const rows = this.parts.sql.exec<{ ref: number }>(
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
    const zoneOf = ({ zone }: DayRow) =>
      zone === null ? generation.zone : this.parts.generations.zone(zone);
    for (const row of this.#folded(generation, refs, period, columns)) sums.add(row, zoneOf(row));
    for (const row of this.#unfolded(generation, refs, period)) sums.add(row, zoneOf(row));
    return sums;
  }

  #folded(
    { ref }: Generation,
    refs: ReadonlySet<number>,
    { from, to }: Period,
    columns: ReadonlySet<PackedColumn>,
  ): Iterable<DayRow> {
    return this.parts.sql.exec<DayRow>(
      `SELECT r.code, day, zone, visitors, visitor_set, ${["hours", ...columns].join(", ")}
       FROM json_each(?) c CROSS JOIN rollups r
       WHERE r.generation = ? AND r.code = c.value AND r.day BETWEEN ? AND ?`,
      JSON.stringify([...refs]),
      ref,
      from,
      to,
    );
  }

  /** Yields the scans after the generation's cursor as rows of rollups. */
  *#unfolded(generation: Generation, refs: ReadonlySet<number>, period: Period): Generator<DayRow> {
    const { zone, cursor, earlierZones } = generation;
    // In an earlier zone, days may begin and end up to this many days apart.
    const margin = earlierZones.length > 0 ? 2 : 0;
    const after = laterOf(cursor, idsFrom(Math.max(0, zone.startOf(period.from - margin))));
    const before = idsFrom(Math.max(0, zone.startOf(period.to + 1 + margin)));
    const isWorkspace = refs.has(workspaceCode);
    const scans = isWorkspace
      ? this.parts.rawScans.all({ after, before }, -1)
      : this.parts.rawScans.ofCodes(refs, { after, before });
    const days = new Map<string, ZonedSlot & { sums: DaySums }>();
    const erased = this.parts.rawScans.erasedCodes();
    for (const scan of scans) {
      if (erased.has(scan.code)) continue;
      const zoned = this.parts.generations.slotOf(generation, scan.time);
      if (zoned.day < period.from || zoned.day > period.to) continue;
      const key = `${zoned.day}/${zoned.zone}`;
      let found = days.get(key);
      if (found === undefined) {
        found = { ...zoned, sums: new DaySums() };
        days.set(key, found);
      }
      found.sums.add(scan, zoned.slot, true);
    }
    for (const { day, zone: earlier, sums } of days.values()) {
      yield { code: workspaceCode, day, zone: earlier, ...sums.toRow() };
    }
  }

  #allTime(qrIds: readonly string[] | null, generation: Generation): Analytics["allTime"] {
    if (qrIds === null) return { scans: this.#scansOf(generation), visitors: null };
    const { scans, visitors } = this.parts.sql
      .exec<{ scans: number; visitors: number }>(
        `SELECT coalesce(sum(scans), 0) AS scans, coalesce(sum(visitors), 0) AS visitors
         FROM json_each(?) q CROSS JOIN codes c ON c.qr_id = q.value`,
        JSON.stringify(qrIds),
      )
      .one();
    return { scans, visitors: qrIds.length === 1 ? visitors : null };
  }

  /** Counts the workspace's human scans: the generation's and those after its cursor. */
  #scansOf({ scans, cursor }: Generation): number {
    return scans + this.parts.rawScans.countHumans({ after: cursor, before: highestId });
  }
}

/** Returns the last day of a period that was counted, at least in part, in another time zone; null if none was. */
function otherZoneIn({ zone, earlierZones }: Generation, { from, to }: Period): number | null {
  const earlier = earlierZones.at(-1);
  if (earlier === undefined) return null;
  const last = Math.max(earlier.untilDay - 1, zone.dayOf(earlier.until - 1));
  return last < from ? null : Math.min(last, to);
}

const laterOf = (a: IdRange["after"], b: string): string => (a > b ? a : b);
