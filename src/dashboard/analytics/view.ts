import { limits } from "../../contract/limits.ts";
import type { Comparison, Dimension, Interval } from "../../contract/resources/analytics.ts";
import { addMonths, formatDay, parseDay, startOfWeek } from "../../lib/time/calendar.ts";

/** The ranges of a report, by their name in an address. All end today, but for dates of one's own. */
export const ranges = {
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  "12m": "12 months",
  custom: "Dates",
} as const;
export type Range = keyof typeof ranges;

/** The settings of a page with a report. All of it is in the page's address. */
export interface ReportView {
  readonly range: Range;
  /** Days, of the range `custom`; may be empty or no dates at all. */
  readonly from: string;
  readonly to: string;
  readonly compare: Comparison | null;
  /** Whether charts have scans by bots. */
  readonly bots: boolean;
  /** Only codes with this tag, or in this folder; empty for all. */
  readonly tag: string;
  readonly folderId: string;
}

const defaultRange: Range = "30d";

const isRange = (text: string): text is Range => Object.hasOwn(ranges, text);

/** The view that an address asks for. Anything unknown is the default. */
export function readView(query: URLSearchParams): ReportView {
  const text = (name: string) => query.get(name)?.trim() ?? "";
  const range = text("range");
  const compare = text("compare");
  return {
    range: isRange(range) ? range : defaultRange,
    from: text("from"),
    to: text("to"),
    compare: compare === "none" ? null : compare === "year" ? "year" : "previous",
    bots: text("bots") !== "hide",
    tag: text("tag"),
    folderId: text("folder"),
  };
}

/** The address of a page with another view. Defaults are left out. */
export function viewAddress(path: string, view: ReportView): string {
  const { range, from, to, compare, bots, tag, folderId } = view;
  const custom = range === "custom";
  const parameters = {
    range: range === defaultRange ? "" : range,
    from: custom ? from : "",
    to: custom ? to : "",
    compare: compare === "previous" ? "" : (compare ?? "none"),
    bots: bots ? "" : "hide",
    tag,
    folder: folderId,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== "");
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Values of a dimension that are read: nearly all countries, for the map. */
const values = 100;

/** The report of a view, as the query of an endpoint: its dates may be wrong. @param today as in `calendar.ts` */
export function reportQuery(view: ReportView, today: number, dimensions: readonly Dimension[]) {
  const { from, to } = datesOf(view, today);
  return {
    ...(from === "" ? {} : { from }),
    ...(to === "" ? {} : { to }),
    interval: intervalOf(view, from, to === "" ? formatDay(today) : to),
    dimensions: dimensions.join(","),
    limit: String(Math.min(values, limits.dimensionItems.max)),
    ...(view.compare === null ? {} : { compare: view.compare }),
    ...(view.tag === "" ? {} : { tag: view.tag }),
    ...(view.folderId === "" ? {} : { folderId: view.folderId }),
  };
}

function datesOf({ range, from, to }: ReportView, today: number): { from: string; to: string } {
  const until = formatDay(today);
  switch (range) {
    case "7d":
      return { from: formatDay(today - 6), to: until };
    case "30d":
      return { from: formatDay(today - 29), to: until };
    case "90d":
      return { from: formatDay(today - 89), to: until };
    case "12m":
      // From a Monday, so that the first week is a whole one.
      return { from: formatDay(startOfWeek(addMonths(today, -12) + 1)), to: until };
    case "custom":
      return { from, to };
  }
}

/** The longest ranges, in days, that are shown by hours, days and weeks. */
const longest = { hour: 2, day: 92, week: 740 } as const;

/** Steps so long that a chart has about a hundred of them at most. */
function intervalOf({ range }: ReportView, from: string, to: string): Interval {
  if (range === "12m") return "week";
  const days = daysBetween(from, to);
  if (days === null) return "day";
  if (days <= longest.hour) return "hour";
  if (days <= longest.day) return "day";
  return days <= longest.week ? "week" : "month";
}

/** The number of days of a range; null if they are no dates. */
function daysBetween(from: string, to: string): number | null {
  try {
    return parseDay(to) - parseDay(from) + 1;
  } catch {
    return null;
  }
}
