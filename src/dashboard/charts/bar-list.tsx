import type { Child } from "hono/jsx";
import { formatNumber } from "../components/values/format.ts";
import { formatShare } from "./format.ts";
import { percent } from "./scale.ts";

interface Bar {
  readonly label: Child;
  readonly scans: number;
}

export interface BarListProps {
  /** The dimension: the caption and the head of the first column. */
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The values that have no bar of their own. */
  readonly other: { readonly values: number; readonly scans: number };
}

/** Values by scans, with the share of each: a table with a bar in each row. */
export function BarList({ title, bars, other }: BarListProps) {
  const total = bars.reduce((sum, { scans }) => sum + scans, other.scans);
  const largest = Math.max(1, other.scans, ...bars.map(({ scans }) => scans));
  const row = (label: Child, scans: number, name: string) => (
    <tr class={name}>
      <th scope="row">
        <span class="bar-label">{label}</span>
        <svg class="bar" width="100%" height="6" aria-hidden="true">
          <rect class="bar-track" width="100%" height="6" rx="3" />
          {scans > 0 && <rect class="bar-fill" width={percent(scans / largest)} height="6" rx="3" />}
        </svg>
      </th>
      <td>{formatNumber(scans)}</td>
      <td>{formatShare(scans, total)}</td>
    </tr>
  );
  return (
    <table class="bar-list">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">Scans</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label, scans }) => row(label, scans, "bar-value"))}
        {other.values > 0 && row(`${formatNumber(other.values)} others`, other.scans, "bar-other")}
      </tbody>
    </table>
  );
}
