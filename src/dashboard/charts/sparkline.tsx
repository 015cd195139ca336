import { countOf } from "./format.ts";
import { round } from "./scale.ts";

const width = 96;
const height = 24;
const padding = 2;

/** A small line of daily scans, oldest first, without axes. */
export function Sparkline({ scans }: { scans: readonly number[] }) {
  const total = scans.reduce((sum, count) => sum + count, 0);
  const largest = Math.max(1, ...scans);
  const distance = (width - 2 * padding) / Math.max(1, scans.length - 1);
  const places = scans.map((count, day) => {
    const y = height - padding - (count / largest) * (height - 2 * padding);
    return `${round(padding + day * distance)} ${round(y)}`;
  });
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={`${countOf(total, "scan")} in ${countOf(scans.length, "day")}`}
    >
      {places.length > 0 && <path d={`M${places.join("L")}${places.length === 1 ? "h0" : ""}`} />}
    </svg>
  );
}
