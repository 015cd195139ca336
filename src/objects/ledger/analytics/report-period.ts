import { limits } from "../../../contract/limits.ts";
import type { Interval } from "../../../contract/resources/scans/analytics.ts";
import {
  addMonths,
  addYears,
  formatDay,
  parseDay,
  startOfMonth,
  startOfWeek,
} from "../../../lib/time/calendar.ts";
import type { Zone } from "../../../lib/time/zone.ts";
import type { AnalyticsRequest, RequestProblem } from "../../../protocol/analytics.ts";

/** Days of the reporting time zone, both inclusive, counted from the calendar's epoch. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** The length of a report that names no days. */
const defaultDays = 30;

/** Returns the days of a request, or why they can't be reported. @param now epoch milliseconds */
export function periodOf(request: AnalyticsRequest, zone: Zone, now: number): Period | RequestProblem {
  const to = request.to === undefined ? zone.dayOf(now) : parseDay(request.to);
  const from = request.from === undefined ? to - (request.days ?? defaultDays) + 1 : parseDay(request.from);
  if (from > to)
    return {
      field: "from",
      problem: request.to === undefined ? "can't be in the future" : "can't be after to",
    };
  return tooLong({ from, to }, request.interval) ?? { from, to };
}

/** The most steps that a day has at each interval. A fraction means that a step has several days. */
const stepsPerDay = { hour: 25, day: 1, week: 1 / 7, month: 1 / 28 } as const satisfies Record<
  Interval,
  number
>;

const longer: Readonly<Record<Interval, Interval | undefined>> = {
  hour: "day",
  day: "week",
  week: "month",
  month: undefined,
};

function tooLong({ from, to }: Period, interval: Interval): RequestProblem | undefined {
  const { points } = limits.analytics;
  // The first and last week may be cut to a single day.
  const days = interval === "week" ? (points - 2) * 7 + 2 : Math.floor(points / stepsPerDay[interval]);
  if (to - from < days) return undefined;
  const other = longer[interval];
  const instead = other === undefined ? "" : `, or interval=${other}`;
  return {
    field: "interval",
    problem: `${interval} allows at most ${points} steps. Choose at most ${days} days${instead}.`,
  };
}

/** Returns the period to compare with: as many days just before, the same days a year earlier, or the given days. */
export function comparedPeriod(
  { from, to }: Period,
  comparison: NonNullable<AnalyticsRequest["compare"]>,
): Period {
  if (typeof comparison === "object") return { from: parseDay(comparison.from), to: parseDay(comparison.to) };
  if (comparison === "year") return { from: addYears(from, -1), to: addYears(to, -1) };
  return { from: from - (to - from + 1), to: from - 1 };
}

/** The steps of a period, and which of them a day and slot belong to. */
export interface Steps {
  /** Epoch milliseconds. */
  readonly starts: readonly number[];
  indexOf(day: number, slot: number): number;
}

/** Divides a period into steps. Its bounds may cut off the first and the last. */
export function stepsOf(period: Period, interval: Interval, zone: Zone): Steps {
  return interval === "hour" ? hourSteps(period, zone) : daySteps(period, interval, zone);
}

function hourSteps({ from, to }: Period, zone: Zone): Steps {
  const starts: number[] = [];
  const firsts = new Map<number, number>();
  for (let day = from; day <= to; day += 1) {
    firsts.set(day, starts.length);
    starts.push(...zone.hoursOf(day).map(({ start }) => start));
  }
  // A day counted in another time zone may have one slot more than in this one.
  return {
    starts,
    indexOf: (day, slot) =>
      (firsts.get(day) ?? 0) + Math.min(slot, Math.max(0, zone.hoursOf(day).length - 1)),
  };
}

function daySteps({ from, to }: Period, interval: Exclude<Interval, "hour">, zone: Zone): Steps {
  const first = { day: from, week: startOfWeek(from), month: startOfMonth(from) }[interval];
  const next = (day: number) => ({ day: day + 1, week: day + 7, month: addMonths(day, 1) })[interval];
  const starts: number[] = [];
  const indexes = new Map<number, number>();
  for (let step = first; step <= to; step = next(step)) {
    const firstDay = Math.max(step, from);
    const isSkipped = interval === "day" && zone.hoursOf(step).length === 0;
    if (!isSkipped) starts.push(zone.startOf(firstDay));
    const end = Math.min(next(step), to + 1);
    for (let day = firstDay; day < end; day += 1) indexes.set(day, Math.max(0, starts.length - 1));
  }
  return { starts, indexOf: (day) => indexes.get(day) ?? 0 };
}

/** The period as dates. */
export const datesOf = ({ from, to }: Period) => ({ from: formatDay(from), to: formatDay(to) });
