import type { ZodType } from "zod";
import { problemsByPath } from "../../contract/issues.ts";
import { ServiceError } from "../../domain/errors.ts";
import { parseDay } from "../../lib/time/calendar.ts";
import type { Zone } from "../../lib/time/zone.ts";
import { type FormState, fieldSentence } from "../../ui/forms/form.ts";

/** The filters of a list. Those of all lists have days: `from` and `to`. */
export interface ListFilters<Query> {
  /** The labels of the other filters, by their name in the address. */
  readonly labels: Readonly<Record<string, string>>;
  readonly schema: ZodType<Query>;
  /** How many items a page has. */
  readonly pageSize: number;
}

export const dayLabels = { from: "First day", to: "Last day" } as const;

/** The filters in an address, as entered, with their problems, and the list's query if there are none. */
export interface ReadFilters<Query> extends FormState {
  readonly query: Query | undefined;
}

/** Reads the filters in an address. @param zone of their days */
export function readFilters<Query>(
  { labels, schema, pageSize }: ListFilters<Query>,
  address: URLSearchParams,
  zone: Zone,
): ReadFilters<Query> {
  const given = [...Object.keys(dayLabels), ...Object.keys(labels)].flatMap((name) => {
    const value = address.get(name)?.trim() ?? "";
    return value === "" ? [] : [[name, value] as const];
  });
  const { from, to, ...others } = Object.fromEntries(given);
  const cursor = address.get("cursor");
  const parsed = schema.safeParse({
    ...others,
    ...(from === undefined ? {} : { from: momentOf(from, (day) => zone.startOf(day)) }),
    ...(to === undefined ? {} : { to: momentOf(to, (day) => zone.startOf(day + 1) - 1) }),
    ...(cursor === null ? {} : { cursor }),
    limit: String(pageSize),
  });
  const values = new URLSearchParams(given.map(([name, value]) => [name, value]));
  return parsed.success
    ? { values, problems: {}, query: parsed.data }
    : { values, problems: problemsByPath(parsed.error.issues), query: undefined };
}

/** Returns the query of a list for a file. @throws invalid_input */
export function queryForFile<Query>(
  filters: ListFilters<Query>,
  address: URLSearchParams,
  zone: Zone,
): Query {
  const { query, problems } = readFilters(filters, address, zone);
  if (query !== undefined) return query;
  const [[name, problem] = ["from", "isn't valid"]] = Object.entries(problems);
  throw new ServiceError("invalid_input", fieldSentence(labelOf(filters.labels, name), problem));
}

/** Returns the label of a filter; its name for one that the page doesn't offer. */
export function labelOf(labels: ListFilters<unknown>["labels"], name: string): string {
  const all: Readonly<Record<string, string>> = { ...dayLabels, ...labels };
  return all[name] ?? name;
}

/** Returns the address of a page with these filters. */
export const addressOf = (path: string, values: URLSearchParams): string =>
  values.size === 0 ? path : `${path}?${values}`;

/** Returns a moment of a day in the list's format. Keeps an invalid day, for the schema to reject. */
function momentOf(text: string, at: (day: number) => number): string {
  try {
    return new Date(at(parseDay(text))).toISOString();
  } catch {
    return text;
  }
}
