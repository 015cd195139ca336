import { limits } from "../../contract/limits.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";
import { dayLength } from "../../lib/time/calendar.ts";

const locale = "en";
const numbers = new Intl.NumberFormat(locale);
const shortNumbers = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

/** Formats a number with separators. */
export const formatNumber = (value: number): string => numbers.format(value);

/** Formats a number briefly, such as 1.2M. */
export const formatShortNumber = (value: number): string => shortNumbers.format(value);

/** Formats a size, such as 12.5 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${formatNumber(Math.ceil(bytes / 1000))} KB`;
  if (bytes < 1e9) return `${formatNumber(Math.round(bytes / 1e5) / 10)} MB`;
  return `${formatNumber(Math.round(bytes / 1e8) / 10)} GB`;
}

/** The locale of dates, which puts the day before the month. */
export const dateLocale = "en-GB";

/** Precise to the second. */
export const instantFormat = { dateStyle: "medium", timeStyle: "medium" } as const;

/**
 * Creates a formatter of times in any zone. Formatters are cached, because creating one takes much longer than using
 * it.
 */
function inZones(options: Intl.DateTimeFormatOptions): (time: string, timeZone: string) => string {
  const formats = new BoundedMap<string, Intl.DateTimeFormat>(16);
  return (time, timeZone) => {
    const kept = formats.get(timeZone);
    const format = kept ?? new Intl.DateTimeFormat(dateLocale, { ...options, timeZone });
    if (kept === undefined) formats.set(timeZone, format);
    return format.format(new Date(time));
  };
}

const inDays = inZones({ dateStyle: "medium" });
const inMinutes = inZones({ dateStyle: "medium", timeStyle: "short" });
const inSeconds = inZones(instantFormat);
const onClock = inZones({ timeStyle: "short" });

/** Formats a date such as 24 Dec 2026. @param time ISO 8601; @param timeZone IANA name */
export const formatDate = (time: string, timeZone = "UTC"): string => inDays(time, timeZone);

/** Formats a time of day, such as 18:00. */
export const formatClock = (time: string, timeZone: string): string => onClock(time, timeZone);

/** Formats a date and time, such as 24 Dec 2026, 18:00. */
export const formatMinute = (time: string, timeZone: string): string => inMinutes(time, timeZone);

/** Formats a date and time with its zone, such as 24 Dec 2026, 18:00 (Europe/Berlin). */
export const formatTime = (time: string, timeZone = "UTC"): string =>
  `${inMinutes(time, timeZone)} (${timeZone})`;

/** Formats a date and time to the second, such as 24 Dec 2026, 18:00:05, for lists that name their zone once. */
export const formatInstant = (time: string, timeZone: string): string => inSeconds(time, timeZone);

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const units = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** Formats a relative time, such as 3 minutes ago. @param time ISO 8601 @param now epoch milliseconds */
export function formatRelative(time: string, now: number): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000);
  const [unit, length] = units.find((each) => Math.abs(seconds) >= each[1]) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / length), unit);
}

/** Formats a quantity with its noun: 1 code, 2 codes. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Formats a number of codes without a noun. Above the limit of counting, `10,000+`. */
export const codeCount = (codes: number): string =>
  codes > limits.countedCodes ? `${formatNumber(limits.countedCodes)}+` : formatNumber(codes);

/** Formats a number of codes with its noun: 1 code, 2 codes. */
export const codeCountWithNoun = (codes: number): string =>
  `${codeCount(codes)} ${codes === 1 ? "code" : "codes"}`;

/** Returns how many days are left, rounded up. @param left milliseconds */
export function daysLeft(left: number): string {
  const days = Math.ceil(left / dayLength);
  return days === 1 ? "less than a day" : formatCount(days, "day");
}
