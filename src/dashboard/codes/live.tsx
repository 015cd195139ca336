import { sparklineDays } from "../../domain/scans/list.ts";
import type { RecentScans } from "../../protocol/analytics.ts";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { Finder } from "../../ui/finder.tsx";
import { formatCount, formatRelative } from "../../ui/values/format.ts";

/** How long a scan counts as new. Milliseconds. */
const news = 60 * 60 * 1000;

/** When the code was last scanned. A script updates it as scans arrive. */
export const LastScan = ({ activity: { lastScanAt }, now }: { activity: RecentScans; now: number }) => (
  <>
    <span
      class="live-mark"
      data-live-mark=""
      hidden={lastScanAt === null || now - Date.parse(lastScanAt) > news}
    >
      <Finder />
    </span>
    <span data-last-scan="" aria-live="polite">
      {lastScanAt === null ? "Not scanned yet" : formatRelative(lastScanAt, now)}
    </span>
  </>
);

/** The scans of the last days, for phones, on which the report is far below. */
export function CodeActivity({ activity: { days } }: { activity: RecentScans }) {
  const scans = days.reduce((sum, count) => sum + count, 0);
  const text = formatCount(scans, "scan");
  return (
    <p class="code-activity" id="code-activity">
      <span>
        <strong class="figure">{text.split(" ")[0]}</strong>{" "}
        <span class="quiet">
          {scans === 1 ? "scan" : "scans"} in {sparklineDays} days
        </span>
      </span>
      <Sparkline height={24} values={days} label={`${text} in ${sparklineDays} days`} />
    </p>
  );
}
