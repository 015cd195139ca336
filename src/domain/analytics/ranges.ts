import type { Comparison, Interval } from "../../contract/resources/scans/analytics.ts";
import {
  addMonths,
  addYears,
  formatDay,
  parseDay,
  startOfMonth,
  startOfQuarter,
  startOfWeek,
} from "../../lib/time/calendar.ts";
import type { Range } from "../../store/schema/sharing.ts";

/** A report's ranges, by their name in a URL. All but `custom` are relative to today. */
export const ranges: Readonly<Record<Range, string>> = {
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "12m": "12 months",
  month: "This month",
  "last-month": "Last month",
  quarter: "This quarter",
  "last-quarter": "Last quarter",
  custom: "Dates",
};

export const isRange = (text: string): text is Range => Object.hasOwn(ranges, text);

export type { Range };

/** Days as `YYYY-MM-DD`, both inclusive. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Days of a calendar without a time zone, both inclusive. */
interface Days {
  readonly from: number;
  readonly to: number;
}

const quarter = 3;

/** Returns the days of a range relative to today. Periods in progress end today. */
function daysOf(range: Exclude<Range, "custom">, today: number): Days {
  const month = startOfMonth(today);
  const thisQuarter = startOfQuarter(today);
  switch (range) {
    case "7d":
      return { from: today - 6, to: today };
    case "30d":
      return { from: today - 29, to: today };
    case "90d":
      return { from: today - 89, to: today };
    case "12m":
      // Starts on a Monday, so that the first week is complete.
      return { from: startOfWeek(addMonths(today, -12) + 1), to: today };
    case "month":
      return { from: month, to: today };
    case "last-month":
      return { from: addMonths(month, -1), to: month - 1 };
    case "quarter":
      return { from: thisQuarter, to: today };
    case "last-quarter":
      return { from: addMonths(thisQuarter, -quarter), to: thisQuarter - 1 };
  }
}

/**
 * Returns the days to compare with. A month or quarter in progress is compared with the same days of the previous one.
 */
function earlierDays(range: Range, { from, to }: Days, earlier: Comparison): Days {
  if (earlier === "year") {
    // Series by week are compared with whole weeks, so that days match by weekday.
    return range === "12m"
      ? { from: from - 52 * 7, to: to - 52 * 7 }
      : { from: addYears(from, -1), to: addYears(to, -1) };
  }
  switch (range) {
    case "month":
      return { from: addMonths(from, -1), to: addMonths(to, -1) };
    case "quarter":
      return { from: addMonths(from, -quarter), to: addMonths(to, -quarter) };
    case "last-month":
      return { from: addMonths(from, -1), to: from - 1 };
    case "last-quarter":
      return { from: addMonths(from, -quarter), to: from - 1 };
    case "12m": {
      const weeks = Math.ceil((to - from + 1) / 7);
      return { from: from - weeks * 7, to: to - weeks * 7 };
    }
    default:
      return { from: from - (to - from + 1), to: from - 1 };
  }
}

const dates = ({ from, to }: Days): Dates => ({ from: formatDay(from), to: formatDay(to) });

/**
 * Returns the dates of a range, those it is compared with, and the interval of its series. Invalid custom dates are
 * passed on, so that the report's query rejects them.
 * @param own the dates of the range `custom`; empty ones get the report's default
 * @param today as in `calendar.ts`
 */
export function datesOfRange(
  range: Range,
  own: Dates,
  today: number,
  earlier: Comparison | null,
): { readonly dates: Dates; readonly compare: Dates | undefined; readonly interval: Interval } {
  const days = range === "custom" ? ownDays(own, today) : daysOf(range, today);
  if (days === null) return { dates: own, compare: undefined, interval: "day" };
  return {
    dates: range === "custom" ? own : dates(days),
    compare: earlier === null ? undefined : dates(earlierDays(range, days, earlier)),
    interval: range === "12m" ? "week" : intervalOf(days.to - days.from + 1),
  };
}

/** The length of a report without a first day. */
const defaultDays = 30;

/** Returns null if the dates don't form a range. */
function ownDays({ from, to }: Dates, today: number): Days | null {
  try {
    const last = to === "" ? today : parseDay(to);
    const days = { from: from === "" ? last - defaultDays + 1 : parseDay(from), to: last };
    return days.from > days.to || days.from < earliest || days.to > latest ? null : days;
  } catch {
    return null;
  }
}

/** All dates derived from days in these bounds have four-digit years. */
const earliest = parseDay("2000-01-01");
const latest = parseDay("2999-12-31");

/** The longest ranges, in days, shown by hour, day and week. */
const longest = { hour: 2, day: 92, week: 740 } as const;

/** Chooses an interval that gives a chart at most about a hundred steps. */
function intervalOf(days: number): Interval {
  if (days <= longest.hour) return "hour";
  if (days <= longest.day) return "day";
  return days <= longest.week ? "week" : "month";
}
