import { problemsByPath } from "../../../contract/issues.ts";
import { limits } from "../../../contract/limits.ts";
import { ScanListQuery } from "../../../contract/resources/scan-filters.ts";
import { parseDay } from "../../../lib/time/calendar.ts";
import type { Zone } from "../../../lib/time/zone.ts";

/** The filters of a list of scans, by their name in the address. */
export const scanFilters = {
  from: "First day",
  to: "Last day",
  country: "Country",
  device: "Device",
  os: "System",
} as const;

export type ScanFilterName = keyof typeof scanFilters;

const names = Object.keys(scanFilters) as ScanFilterName[];

/** The filters that an address has, as they were entered. */
export const scanFiltersIn = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    names.flatMap((name) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );

/** The list that an address asks for, or what is wrong with its filters, by field. @param zone of its days */
export function readScanQuery(
  query: URLSearchParams,
  zone: Zone,
): { readonly list: ScanListQuery } | { readonly problems: Readonly<Record<string, string>> } {
  const { from, to, ...others } = Object.fromEntries(scanFiltersIn(query));
  const cursor = query.get("cursor");
  const parsed = ScanListQuery.safeParse({
    ...others,
    ...(from === undefined ? {} : { from: momentOf(from, (day) => zone.startOf(day)) }),
    ...(to === undefined ? {} : { to: momentOf(to, (day) => zone.startOf(day + 1) - 1) }),
    ...(cursor === null ? {} : { cursor }),
    limit: String(limits.scanList.default),
  });
  return parsed.success ? { list: parsed.data } : { problems: problemsByPath(parsed.error.issues) };
}

/** A moment of a day as the list takes it. Text that is no day stays, for the schema to refuse. */
export function momentOf(text: string, at: (day: number) => number): string {
  try {
    return new Date(at(parseDay(text))).toISOString();
  } catch {
    return text;
  }
}
