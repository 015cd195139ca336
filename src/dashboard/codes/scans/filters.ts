import { limits } from "../../../contract/limits.ts";
import type { DimensionItems } from "../../../contract/resources/scans/analytics.ts";
import { ScanListQuery, unknownValue } from "../../../contract/resources/scans/scan-filters.ts";
import { countryName } from "../../../ui/charts/format.ts";
import { deviceName } from "../../../ui/report/labels.ts";
import type { Choice } from "../../filters/menu.tsx";
import type { ListFilters } from "../../filters/query.ts";

/** The filters of a scan log. */
export const scanFilters: ListFilters<ScanListQuery> = {
  labels: { kind: "Scans", country: "Country", device: "Device", os: "System" },
  schema: ScanListQuery,
  pageSize: limits.scanList.default,
};

/** By people, if none is chosen. */
const kinds: readonly Choice[] = [
  ["bot", "By bots"],
  ["all", "By people and bots"],
];

const devices = ["mobile", "tablet", "desktop", "tv"];

/**
 * Returns what the filters offer: the countries and systems that the code was scanned from, and what is chosen even if
 * this code has no such scan.
 */
export function scanChoices(
  known: { readonly country?: DimensionItems | undefined; readonly os?: DimensionItems | undefined },
  chosen: URLSearchParams,
) {
  const choicesOf = (
    name: string,
    values: readonly string[],
    textOf: (value: string) => string,
  ): Choice[] => {
    const own = chosen.get(name) ?? unknownValue;
    const others = own === unknownValue || values.includes(own) ? [] : [own];
    return [
      ...[...values, ...others].map((value): Choice => [value, textOf(value)]),
      [unknownValue, "Unknown"],
    ];
  };
  return {
    kind: kinds,
    country: choicesOf("country", valuesOf(known.country), countryName),
    device: choicesOf("device", devices, deviceName),
    os: choicesOf("os", valuesOf(known.os), (os) => os),
  };
}

const valuesOf = (found: DimensionItems | undefined): string[] =>
  found?.items.flatMap(({ value }) => value ?? []) ?? [];
