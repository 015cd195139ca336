import { latestScans, scansOfCodes, sparklineDays } from "../../domain/scans/list.ts";
import type { CodeScans } from "../../protocol/analytics.ts";
import { Finder } from "../components/finder.tsx";
import { formatCount, formatRelative } from "../components/values/format.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { Sparkline } from "../charts/sparkline.tsx";

/** The scans of a code, as the head of its page shows them. */
interface Activity {
  readonly recent: CodeScans | undefined;
  /** ISO 8601; null for none. */
  readonly lastScanAt: string | null;
  /** The number of the last scan, after which a live connection goes on. */
  readonly latest: number;
}

/** @throws not_found */
export async function readActivity({ deps, context }: DashboardRequest, id: string): Promise<Activity> {
  const [recent, { events, latest }] = await Promise.all([
    scansOfCodes(deps, context, [id]),
    latestScans(deps, context, id, 1),
  ]);
  return { recent: recent.get(id), lastScanAt: events[0]?.scannedAt ?? null, latest };
}

/** A scan is new for so long. Milliseconds. */
const news = 60 * 60 * 1000;

/** When the code was last scanned. A script says so when it is scanned now. */
export const LastScan = ({ activity: { lastScanAt }, now }: { activity: Activity; now: number }) => (
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

/** The scans of the last days, for phones, where the report is far below. */
export function CodeActivity({ activity: { recent } }: { activity: Activity }) {
  const days = recent?.days ?? [];
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
