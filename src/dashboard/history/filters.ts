import { problemsByPath } from "../../contract/issues.ts";
import { limits } from "../../contract/limits.ts";
import { HistoryQuery } from "../../contract/resources/history/history.ts";
import { momentOf } from "../../ui/forms/days-form.tsx";
import type { Zone } from "../../lib/time/zone.ts";

/** The filters of the history, by their name in the address. */
export const historyFilters = {
  actor: "Who",
  kind: "What",
  object: "Object",
  jobId: "Job",
  from: "First day",
  to: "Last day",
} as const;

export type HistoryFilterName = keyof typeof historyFilters;

const names = Object.keys(historyFilters) as HistoryFilterName[];

/** Returns the filters in an address, as entered. */
export const filtersIn = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams(
    names.flatMap((name) => {
      const value = query.get(name)?.trim() ?? "";
      return value === "" ? [] : [[name, value]];
    }),
  );

/** Reads the list's query from an address, or the problems of its filters, by field. @param zone of its days */
export function readHistoryQuery(
  query: URLSearchParams,
  zone: Zone,
): { readonly list: HistoryQuery } | { readonly problems: Readonly<Record<string, string>> } {
  const { from, to, ...others } = Object.fromEntries(filtersIn(query));
  const cursor = query.get("cursor");
  const parsed = HistoryQuery.safeParse({
    ...others,
    ...(from === undefined ? {} : { from: momentOf(from, (day) => zone.startOf(day)) }),
    ...(to === undefined ? {} : { to: momentOf(to, (day) => zone.startOf(day + 1) - 1) }),
    ...(cursor === null ? {} : { cursor }),
    limit: String(limits.historyList.default),
  });
  return parsed.success ? { list: parsed.data } : { problems: problemsByPath(parsed.error.issues) };
}
