import type { Child } from "hono/jsx";
import { formatDay } from "../../../lib/time/calendar.ts";
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
