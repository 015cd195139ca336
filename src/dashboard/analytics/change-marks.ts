import type { HistoryEntry } from "../../contract/resources/history/history.ts";
import type { Analytics } from "../../contract/resources/scans/analytics.ts";
import { formatDay } from "../../lib/time/calendar.ts";
import { zoneOf } from "../../lib/time/zone.ts";
import type { ChartMark } from "../../ui/charts/change-marks.tsx";
import { actorName } from "../../ui/values/actors.ts";
import { formatCount, formatNumber } from "../../ui/values/format.ts";

/** The most marks on a chart. */
const mostMarks = 20;

/** The whole days before and after a change whose scans are compared. */
const comparedDays = 7;

/** The names of a code's changes on its chart. Others, such as those of its name, don't affect scans. */
const actions: Partial<Record<HistoryEntry["action"], string>> = {
  "code.created": "Created",
  "code.deleted": "Deleted",
  "code.restored": "Restored",
  "code.suspended": "Suspended",
  "code.unsuspended": "Suspension lifted",
  "code.scans_erased": "Scans erased",
};

function titlesOf({ action, changes }: HistoryEntry): readonly string[] {
  const other = actions[action];
  if (action !== "code.updated") return other === undefined ? [] : [other];
  const { data, status, shape, colorConfig, advanced, templateId } = changes;
  const design = shape ?? colorConfig ?? advanced ?? templateId;
  return [
    ...(data === undefined ? [] : ["Destination changed"]),
    ...(status === undefined ? [] : [status.after === "paused" ? "Paused" : "Resumed"]),
    ...(design === undefined ? [] : ["Design changed"]),
  ];
}

interface Change {
  readonly step: number;
  readonly titles: readonly string[];
  readonly who: string;
}

/**
 * Returns the changes of a code that happened in its report, at most twenty: more are joined with their neighbours.
 * @param entries the history of the code
 * @param now epoch milliseconds
 */
export function changeMarks(
  entries: readonly HistoryEntry[],
  report: Analytics,
  now: number,
): readonly ChartMark[] {
  const { series, timeZone, to } = report;
  const zone = zoneOf(timeZone);
  const starts = series.map(({ start }) => Date.parse(start));
  const changes = entries.flatMap((entry): Change[] => {
    const time = Date.parse(entry.at);
    const titles = titlesOf(entry);
    const step = starts.findLastIndex((start) => start <= time);
    if (titles.length === 0 || step === -1 || formatDay(zone.dayOf(time)) > to) return [];
    return [{ step, titles, who: actorName(entry.actor) }];
  });
  for (let width = 1; ; width *= 2) {
    const groups = Map.groupBy(changes.toReversed(), ({ step }) => Math.floor(step / width));
    if (groups.size <= mostMarks) {
      return [...groups.values()].map((group) => markOf(group, report, now)).sort((a, b) => a.step - b.step);
    }
  }
}

/** @param changes oldest first */
function markOf(changes: readonly Change[], report: Analytics, now: number): ChartMark {
  const step = changes[0]?.step ?? 0;
  const titles = [...new Set(changes.flatMap((change) => change.titles))];
  const [first = "", ...others] = titles.map((title, i) =>
    i === 0 ? title : title.charAt(0).toLowerCase() + title.slice(1),
  );
  const people = [...new Set(changes.map(({ who }) => who))];
  const scans = changes.every((change) => change.step === step) ? scansAround(step, report, now) : null;
  return {
    step,
    title: titles.length > 2 ? formatCount(changes.length, "change") : [first, ...others].join(", "),
    detail: [`by ${people.join(", ")}`, ...(scans === null ? [] : [scans])].join(" · "),
  };
}

/**
 * The scans a day on the whole days before and after one: `12.4 → 17 scans a day`. Null if the report doesn't have seven of
 * them on both sides.
 */
function scansAround(step: number, { interval, series, timeZone }: Analytics, now: number): string | null {
  if (interval !== "day") return null;
  const zone = zoneOf(timeZone);
  const isWhole = ({ start }: { start: string }) => zone.dayOf(Date.parse(start)) < zone.dayOf(now);
  const before = series.slice(Math.max(0, step - comparedDays), step);
  const after = series.slice(step + 1, step + 1 + comparedDays).filter(isWhole);
  if (before.length < comparedDays || after.length < comparedDays) return null;
  const mean = (days: readonly { scans: number }[]) =>
    formatNumber(Math.round((days.reduce((sum, { scans }) => sum + scans, 0) / comparedDays) * 10) / 10);
  return `${mean(before)} → ${mean(after)} scans a day, over ${comparedDays} days each`;
}
