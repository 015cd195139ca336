import type { Child } from "hono/jsx";
import { formatDay } from "../../lib/time/calendar.ts";
import { formatDays } from "../../ui/charts/format.ts";
import { HiddenFields } from "../../ui/forms/hidden.tsx";
import { formatDate } from "../../ui/values/format.ts";

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
  <form class="menu-fields" method="get" action={path} data-calendar="" data-today={formatDay(today)}>
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
