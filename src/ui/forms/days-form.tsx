import type { Child } from "hono/jsx";
import { formatDay, parseDay } from "../../lib/time/calendar.ts";
import { formatDays } from "../charts/format.ts";
import { formatDate } from "../values/format.ts";
import { HiddenFields } from "./hidden.tsx";

interface Props {
  /** The page's path. */
  readonly path: string;
  /** Parameters of the address that are kept. */
  readonly kept: Iterable<readonly [name: string, value: string]>;
  /** As in `calendar.ts`. */
  readonly today: number;
  /** The fields of the first and the last day. */
  readonly children: Child;
}

/** Two fields for days in a menu, to which the script adds a calendar. */
export const DaysForm = ({ path, kept, today, children }: Props) => (
  <form class="menu-form dates" method="get" action={path} data-calendar="" data-today={formatDay(today)}>
    <HiddenFields values={kept} />
    <div class="pair">{children}</div>
    <button class="button" type="submit">
      Show
    </button>
  </form>
);

/** Describes the days. Those in an address may be invalid. */
export function daysIn(values: URLSearchParams): string {
  const [from, to] = [values.get("from"), values.get("to")];
  try {
    if (from !== null && to !== null) return formatDays({ from, to });
    if (from !== null) return `From ${formatDate(from)}`;
    return to === null ? "All days" : `Until ${formatDate(to)}`;
  } catch {
    return "Days";
  }
}

/** Returns a moment of a day in the list's format. Keeps an invalid day, for the schema to reject. */
export function momentOf(text: string, at: (day: number) => number): string {
  try {
    return new Date(at(parseDay(text))).toISOString();
  } catch {
    return text;
  }
}
