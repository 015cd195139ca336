import type { Dates } from "../../domain/analytics/ranges.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { lazy } from "../../lib/lazy.ts";
import { dayLength, parseDay } from "../../lib/time/calendar.ts";

const locale = "en";
/** Puts the day before the month. */
const dateLocale = "en-GB";

const percents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat(locale, {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const wholePercents = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
const regions = lazy(() => new Intl.DisplayNames(locale, { type: "region", fallback: "code" }));

/** Formats a share of a whole with one decimal: `12.0%`, or `<0.1%` if it would be rounded to nothing. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0 || part === 0) return shares.format(0);
  const share = part / whole;
  return share < 0.0005 ? `<${shares.format(0.001)}` : shares.format(share);
}

/** Formats a ratio: `1.6%`. */
export const formatPercent = (amount: number): string => percents.format(amount);

/** Formats the relative change from one count to another: `12%`; null if the first is zero. */
export function formatChange(before: number, after: number): string | null {
  if (before === 0) return null;
  const change = Math.abs(after / before - 1);
  return (change < 0.1 ? percents : wholePercents).format(change);
}

const months = lazy(() => {
  const format = new Intl.DateTimeFormat(dateLocale, { month: "short", timeZone: "UTC" });
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2024, month)));
});

/**
 * Formats a range of days such as `1–23 Nov 2026`, without repeating common parts. @throws RangeError for an invalid
 * day
 */
export const formatDays = (days: Dates): string => formatRange(days, true);

/**
 * Formats a range of days without the year, if both have the same: `1–23 Nov`. @throws RangeError for an invalid day
 */
export const formatShortDays = (days: Dates): string => formatRange(days, false);

/** Names the days that a report is compared with: `30 days before`, `A month before`. */
export function comparisonName({ from }: Dates, earlier: Dates): string {
  const [first, last] = [parseDay(earlier.from), parseDay(earlier.to)];
  const distance = parseDay(from) - first;
  if (last >= parseDay(from) - 1)
    return first === last ? "The day before" : `${last - first + 1} days before`;
  if (distance > 350) return "A year before";
  return distance > 80 ? "3 months before" : "A month before";
}

/** Like `Intl.DateTimeFormat`, but a hundred times as fast. */
function formatRange({ from, to }: Dates, withYear: boolean): string {
  const [first, last] = [partsOf(from), partsOf(to)];
  const isOneYear = first.year === last.year;
  const year = (of: typeof first) => (withYear || !isOneYear ? ` ${of.year}` : "");
  const end = `${last.day} ${last.month}${year(last)}`;
  if (from === to) return end;
  if (isOneYear && first.month === last.month) return `${first.day}–${end}`;
  return `${first.day} ${first.month}${isOneYear ? "" : year(first)} – ${end}`;
}

function partsOf(text: string) {
  const date = new Date(parseDay(text) * dayLength);
  return { day: date.getUTCDate(), month: months()[date.getUTCMonth()], year: date.getUTCFullYear() };
}

/** Names of countries that have been looked up. */
const countryNames = new BoundedMap<string, string>(300);

/** Returns `Germany` for `DE`, or the code itself if it has no name. */
export function countryName(code: string): string {
  const kept = countryNames.get(code);
  if (kept !== undefined) return kept;
  const name = findCountryName(code);
  countryNames.set(code, name);
  return name;
}

function findCountryName(code: string): string {
  // Cloudflare's own code for the Tor network.
  if (code === "T1") return "Tor";
  try {
    return regions().of(code) ?? code;
  } catch {
    return code;
  }
}

/** Creates a formatter of local times in a report. The times' offsets are ignored. */
function wallClock(options: Intl.DateTimeFormatOptions): (start: string) => string {
  const format = new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: "UTC" });
  return (start) => format.format(new Date(`${start.slice(0, "2026-01-31T00:00:00".length)}Z`));
}

const shortDay = wallClock({ day: "numeric", month: "short" });
const fullDay = wallClock({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
const plainDay = wallClock({ day: "numeric", month: "short", year: "numeric" });
const shortMonth = wallClock({ month: "short", year: "2-digit" });
const fullMonth = wallClock({ month: "long", year: "numeric" });
const hour = wallClock({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Formats the steps of a series: short for an axis, full for a table. Full labels are unique. */
export const stepLabels = {
  hour: {
    short: (start: string) => (start.includes("T00:00") ? shortDay(start) : hour(start)),
    full: (start: string) => `${fullDay(start)}, ${hour(start)} ${start.slice("2026-01-31T00:00:00".length)}`,
  },
  day: { short: shortDay, full: fullDay },
  week: { short: shortDay, full: (start: string) => `Week of ${plainDay(start)}` },
  month: { short: shortMonth, full: fullMonth },
} as const;

/** Monday to Sunday. */
export const weekdays: readonly { short: string; long: string }[] = Array.from({ length: 7 }, (_, day) => {
  const monday = new Date(Date.UTC(2024, 0, 1 + day));
  const name = (weekday: "short" | "long") =>
    new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" }).format(monday);
  return { short: name("short"), long: name("long") };
});

/** `14:00` */
export const formatHour = (hourOfDay: number): string => `${String(hourOfDay).padStart(2, "0")}:00`;
