import { problemsByPath } from "../../../contract/issues.ts";
import { limits } from "../../../contract/limits.ts";
import { ScanListQuery } from "../../../contract/resources/scans/scan-filters.ts";
import { momentOf } from "../../../ui/forms/days-form.tsx";
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

/** Returns the filters in an address, as entered. */
export const scanFiltersIn = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    names.flatMap((name) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );

/** Reads the list's query from an address, or the problems of its filters, by field. @param zone of its days */
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
