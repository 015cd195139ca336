import type { Analytics } from "../../contract/resources/scans/analytics.ts";
import { comparisonName, formatChange, formatHour, weekdays } from "../charts/format.ts";
import { formatCount } from "../values/format.ts";

/** The fewest scans in an hour of the week that make it the busiest. With fewer, it would be chance. */
const fewestInBusiestHour = 5;

/** A report in a sentence: how many scans, the change, and when the most come. */
export function Summary({ report }: { report: Analytics }) {
  const change = changeOf(report);
  const busiest = busiestOf(report);
  return (
    <p class="report-summary">
      <strong>
        {formatCount(report.totals.scans, "scan")}
        {change === null ? "." : `, ${change}.`}
      </strong>
      {busiest !== null && <span class="quiet"> Busiest on {busiest}.</span>}
    </p>
  );
}

/** `45% more than in the 30 days before`; null without a comparison. */
function changeOf(report: Analytics): string | null {
  const { totals, comparison } = report;
  if (comparison === null) return null;
  const name = comparisonName(report, comparison);
  const days = /^\d+ days/.test(name) ? `in the ${name}` : name.charAt(0).toLowerCase() + name.slice(1);
  const before = comparison.totals.scans;
  if (totals.scans === before) return `as many as ${days}`;
  const change = formatChange(before, totals.scans);
  if (change === null) return `after none ${days}`;
  return `${change} ${totals.scans > before ? "more" : "fewer"} than ${days}`;
}

/** `Saturdays around 11:00`; null if no hour of the week stands out. */
function busiestOf({ dimensions, from, to }: Analytics): string | null {
  const hours = dimensions.hourOfWeek?.items.map(({ scans }) => scans) ?? [];
  const most = Math.max(0, ...hours);
  const isWeek = Date.parse(to) - Date.parse(from) >= 6 * 24 * 60 * 60 * 1000;
  if (!isWeek || most < fewestInBusiestHour || hours.filter((scans) => scans === most).length > 1)
    return null;
  const hour = hours.indexOf(most);
  return `${weekdays[Math.floor(hour / 24)]?.long}s around ${formatHour(hour % 24)}`;
}
