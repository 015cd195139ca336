import type { Child } from "hono/jsx";
import { formatCount, formatNumber } from "../values/format.ts";
import { formatShare } from "./format.ts";
import { percent } from "./scale.ts";

interface Bar {
  readonly label: Child;
  readonly scans: number;
}

export interface BarListProps {
  /** The dimension, as the heading of the first column. */
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The values without their own bar. */
  readonly other: { readonly values: number; readonly scans: number };
}

/** Values by scans, each with its share: a table whose row borders are the bars, relative to the first. */
export function BarList({ title, bars, other }: BarListProps) {
  const total = bars.reduce((sum, { scans }) => sum + scans, other.scans);
  const largest = Math.max(1, ...bars.map(({ scans }) => scans));
  return (
    <table class="bar-list">
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Scans</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, scans }) => (
          <tr>
            <th scope="row">
              {label}
              <svg class="rule" width="100%" height="3" aria-hidden="true">
                {scans > 0 && <rect class="rule-fill" width={percent(scans / largest)} height="3" />}
              </svg>
            </th>
            <td>{formatNumber(scans)}</td>
            <td>{formatShare(scans, total)}</td>
          </tr>
        ))}
        {other.values > 0 && (
          <tr class="bar-other">
            <th scope="row">{formatCount(other.values, "other")}</th>
            <td>{formatNumber(other.scans)}</td>
            <td>{formatShare(other.scans, total)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
