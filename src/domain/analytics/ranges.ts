import type { Comparison, Interval } from "../../contract/resources/analytics.ts";
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

/** The ranges of a report, by their name in an address. All but `custom` move with the calendar. */
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

/** Days as `YYYY-MM-DD`, both included. */
export interface Dates {
  readonly from: string;
  readonly to: string;
}

/** Days of a calendar without a time zone, both included. */
interface Days {
  readonly from: number;
  readonly to: number;
}

const quarter = 3;

/** The days of a range that moves with the calendar. Those in progress end today. */
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
      // From a Monday, so that the first week is a whole one.
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

/** The days to compare with. A month or quarter in progress is compared with the same days of the one before. */
function earlierDays(range: Range, { from, to }: Days, earlier: Comparison): Days {
  if (earlier === "year") {
    // By weeks, the same weeks: their days begin on the same weekday.
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
 * The dates of a range, those it is compared with, and the step of its series. Dates of one's own that are no dates are
 * handed on, for the report's query to refuse.
 * @param own the dates of the range `custom`; empty ones are left to the report
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

/** Days of a report that names no first day. */
const defaultDays = 30;

/** Null for what is no range of dates. */
function ownDays({ from, to }: Dates, today: number): Days | null {
  try {
    const last = to === "" ? today : parseDay(to);
    const days = { from: from === "" ? last - defaultDays + 1 : parseDay(from), to: last };
    return days.from > days.to || days.from < earliest || days.to > latest ? null : days;
  } catch {
    return null;
  }
}

/** Days around which all dates have four digits of a year. */
const earliest = parseDay("2000-01-01");
const latest = parseDay("2999-12-31");

/** The longest ranges, in days, that are shown by hours, days and weeks. */
const longest = { hour: 2, day: 92, week: 740 } as const;

/** Steps so long that a chart has about a hundred of them at most. */
function intervalOf(days: number): Interval {
  if (days <= longest.hour) return "hour";
  if (days <= longest.day) return "day";
  return days <= longest.week ? "week" : "month";
}
