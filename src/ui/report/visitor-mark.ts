import type { Analytics } from "../../contract/resources/scans/analytics.ts";
import type { ChartMark } from "../charts/change-marks.tsx";

/** Adds a mark where the way of counting visitors changed, if the report's chart covers that. */
export function withVisitorMark(marks: readonly ChartMark[], report: Analytics): readonly ChartMark[] {
  const { visitorsChangedOn: changed } = report.incomplete;
  if (changed === null) return marks;
  const days = report.series.map(({ start }) => start.slice(0, changed.length));
  const step = days.includes(changed) ? days.indexOf(changed) : days.findLastIndex((day) => day < changed);
  if (step === -1) return marks;
  const mark = {
    step,
    title: "IPv6 visitors counted anew",
    detail:
      "Since then a visitor on IPv6 is told apart by network. Who had scanned before counts as new once more.",
  };
  return [...marks, mark].sort((a, b) => a.step - b.step);
}
