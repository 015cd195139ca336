import { LastScan } from "../../../contract/resources/codes/saved-lists.ts";
import type { QrSelection } from "../../../domain/codes/list.ts";
import { formatDay } from "../../../lib/time/calendar.ts";
import { formatCount, formatDate } from "../../../ui/values/format.ts";

/** The filter of the list by when codes were scanned last. */

/** The choices of the panel of filters. */
export const lastScanChoices = (
  ["never", "after-30d", "before-30d", "before-90d", "before-365d"] as const
).map((lastScan) => [lastScan, lastScanText(lastScan)] as const);

/** Reads the filter as it is typed. @returns undefined if there is none, or it can't be read */
export const readLastScan = (text: string | undefined): LastScan | undefined =>
  LastScan.safeParse(text?.toLowerCase()).data;

/** Returns the filters of the list. @param today days since the epoch, in the reporting time zone */
export function scanFilters(
  lastScan: LastScan,
  today: number,
): Pick<QrSelection, "scanned" | "scannedBefore" | "scannedAfter"> {
  if (lastScan === "never") return { scanned: "never" };
  const { isBefore, day, days } = partsOf(lastScan);
  const first = days === undefined ? day : formatDay(today - days + 1);
  return isBefore ? { scannedBefore: first } : { scannedAfter: first };
}

/** Returns the words for the filter. */
export function lastScanText(lastScan: LastScan): string {
  if (lastScan === "never") return "Never";
  const { isBefore, day, days } = partsOf(lastScan);
  if (days === undefined) return `${isBefore ? "Before" : "Since"} ${formatDate(day)}`;
  return isBefore ? `More than ${formatCount(days, "day")} ago` : `In the last ${formatCount(days, "day")}`;
}

function partsOf(lastScan: string) {
  const day = lastScan.slice(lastScan.indexOf("-") + 1);
  const days = day.endsWith("d") ? Number.parseInt(day, 10) : undefined;
  return { isBefore: lastScan.startsWith("before"), day, days };
}
