import type { Qr } from "../../../contract/resources/codes/qr.ts";
import type { ScanEvent } from "../../../contract/resources/scans/scans.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import type { RecentScans } from "../../../protocol/analytics.ts";
import { bounds } from "../../../protocol/bounds.ts";
import { Finder } from "../../../ui/finder.tsx";
import { NotAvailable } from "../../../ui/missing.tsx";
import { describeScan, scanWords } from "../../../ui/report/labels.ts";
import {
  formatClock,
  formatDate,
  formatNumber,
  formatRelative,
  formatTime,
} from "../../../ui/values/format.ts";

/** How long a scan counts as new. Milliseconds. */
const news = 60 * 60 * 1000;

interface Props {
  readonly activity: RecentScans;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** When the code was last scanned. A script updates it as scans arrive. */
export const LastScan = ({ activity: { lastScanAt }, now }: Props) => (
  <span data-last-scan="" aria-live="polite">
    {lastScanAt === null ? "Not scanned yet" : formatRelative(lastScanAt, now)}
  </span>
);

interface CardProps {
  readonly qr: Qr;
  /** Null if it can't be read. */
  readonly activity: RecentScans | null;
  readonly now: number;
  /** IANA name. */
  readonly timeZone: string;
}

/** The last scans of a code. A script adds those that arrive. */
export function LiveCard({ qr, activity, now, timeZone }: CardProps) {
  if (activity === null) {
    return (
      <section class="live-card" aria-label="Live scans">
        <NotAvailable />
      </section>
    );
  }
  const { days, events = [], lastScanAt, latest } = activity;
  const today = days.at(-1) ?? 0;
  return (
    <section
      class="live-card"
      aria-labelledby="live-title"
      data-live={`/api/v1/developer/qr/${qr.id}/scans/live?after=${latest}`}
      data-shown={bounds.activityScans}
      data-zone={timeZone}
      data-words={JSON.stringify({ ...scanWords, timeFormat: { timeStyle: "short" } })}
    >
      <div class="live-head">
        <h2 id="live-title">
          <span
            class="live-mark"
            data-live-mark=""
            hidden={lastScanAt === null || now - Date.parse(lastScanAt) > news}
          >
            <Finder />
          </span>
          Live
        </h2>
        <p class="caption quiet">
          <span data-count={today}>{formatNumber(today)}</span> today
        </p>
      </div>
      <ol class="live-scans" aria-live="polite" aria-label="Last scans">
        {events.map((event) => (
          <Scan event={event} now={now} timeZone={timeZone} />
        ))}
      </ol>
      <p class="caption quiet live-empty">Scans show up here within two seconds.</p>
    </section>
  );
}

function Scan({ event, now, timeZone }: { event: ScanEvent } & Pick<CardProps, "now" | "timeZone">) {
  const { id, scannedAt } = event;
  const zone = zoneOf(timeZone);
  const isToday = zone.dayOf(Date.parse(scannedAt)) === zone.dayOf(now);
  return (
    <li data-id={id}>
      <time datetime={scannedAt} title={formatTime(scannedAt, timeZone)}>
        {(isToday ? formatClock : formatDate)(scannedAt, timeZone)}
      </time>
      <span>{describeScan(event)}</span>
    </li>
  );
}
