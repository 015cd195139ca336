import { type Range, ranges } from "../../domain/analytics/ranges.ts";
import { formatShortDays } from "../../ui/charts/format.ts";
import { Menu, MenuDivider, MenuLink } from "../../ui/menu.tsx";
import { DaysForm } from "../filters/days-form.tsx";
import { FilterInput } from "../filters/menu.tsx";
import { dayLabels } from "../filters/query.ts";
import { type ReportView, viewAddress, viewFields } from "./view.ts";

/** The days of a report, and where to choose others. */
export interface RangeProps {
  /** The page's path. */
  readonly path: string;
  readonly view: ReportView;
  /** The report's days, which are the initial values of the date fields. */
  readonly from: string;
  readonly to: string;
  /** As in `calendar.ts`. */
  readonly today: number;
}

const presets = ["month", "last-month", "quarter", "last-quarter"] as const satisfies readonly Range[];

/** Calendar ranges and custom dates. */
export function DateRange({ path, view, from, to, today }: RangeProps) {
  const isPreset = (presets as readonly Range[]).includes(view.range);
  const isOwn = view.range === "custom";
  const shown = isOwn ? { from: view.from || from, to: view.to || to } : { from, to };
  const kept = [["range", "custom"] as const, ...viewFields({ ...view, range: "30d" })];
  return (
    <Menu
      icon="calendar"
      text={isPreset ? ranges[view.range] : isOwn && from <= to ? shortDays(from, to) : "Dates"}
      button={isPreset || isOwn ? "segment chosen" : "segment"}
    >
      {presets.map((range) => (
        <MenuLink href={viewAddress(path, { ...view, range })} current={range === view.range}>
          {ranges[range]}
        </MenuLink>
      ))}
      <MenuDivider />
      <DaysForm path={path} kept={kept} today={today}>
        {(["from", "to"] as const).map((name) => (
          <FilterInput name={name} label={dayLabels[name]} type="date" value={shown[name]} required />
        ))}
      </DaysForm>
    </Menu>
  );
}

/** The dates in an address may be invalid. */
function shortDays(from: string, to: string): string {
  try {
    return formatShortDays({ from, to });
  } catch {
    return "Dates";
  }
}
