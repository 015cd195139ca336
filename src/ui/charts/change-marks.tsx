import type { Interval } from "../../contract/resources/scans/analytics.ts";
import { formatCount } from "../values/format.ts";
import { stepLabels } from "./format.ts";
import { percent } from "./scale.ts";

/** Changes on one or several successive steps of a chart. */
export interface ChartMark {
  readonly step: number;
  /** Such as `Destination changed`. */
  readonly title: string;
  /** Who changed it, and the scans before and after. */
  readonly detail: string;
}

interface Props {
  readonly marks: readonly ChartMark[];
  readonly interval: Interval;
  /** The starts of the steps. */
  readonly starts: readonly string[];
}

/** The share of the chart's width that a label needs. */
const labelShare = 0.24;

/** Lines through a chart where something changed, with labels where they fit. */
export function ChangeMarks({ marks, starts }: Props) {
  const placeOf = ({ step }: ChartMark) => (step + 0.5) / starts.length;
  return (
    <svg class="chart-marks" width="100%" aria-hidden="true">
      {marks.map((mark, i) => {
        const place = placeOf(mark);
        const [earlier, later] = [marks[i - 1], marks[i + 1]].map((each) => each && placeOf(each));
        const fitsAfter = (later ?? 1) - place >= labelShare;
        const fitsBefore = place - (earlier ?? 0) >= 2 * labelShare;
        const x = percent(place);
        return (
          <>
            <rect class="chart-mark-line" x={x} />
            <rect class="chart-mark" x={x} rx="2" />
            <rect class="chart-mark-centre" x={x} />
            {(fitsAfter || fitsBefore) && (
              <text
                class="chart-wide"
                x={x}
                dx={fitsAfter ? 12 : -10}
                y="13"
                text-anchor={fitsAfter ? "start" : "end"}
              >
                {mark.title}
              </text>
            )}
          </>
        );
      })}
    </svg>
  );
}

/** The changes as a list. */
export const ChangeList = ({ marks, interval, starts }: Props) => (
  <details class="chart-table chart-changes">
    <summary>
      {marks.length === 1 ? "Show the change" : `Show ${formatCount(marks.length, "change")}`}
    </summary>
    <ol class="plain">
      {marks.map(({ step, title, detail }) => (
        <li>
          <span class="quiet">{stepLabels[interval].full(starts[step] ?? "")}</span>
          <strong>{title}</strong>
          <span>{detail}</span>
        </li>
      ))}
    </ol>
  </details>
);
