import type {
  Analytics,
  AnalyticsPoint,
  Dimension,
} from "../../../src/contract/resources/scans/analytics.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { timeOfId } from "../../../src/lib/text/ids.ts";
import { phone } from "../service.ts";

/** User agents, with their known properties. */
const agents = new Map<string | null, { device: string | null; os: string | null; browser: string | null }>([
  [phone, { device: "mobile", os: "iOS", browser: "Safari" }],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    { device: "desktop", os: "Windows", browser: "Chrome" },
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    { device: "desktop", os: "Linux", browser: "Firefox" },
  ],
  [null, { device: null, os: null, browser: null }],
]);
const bot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
/** User agents of scans: people's, and a bot's. */
export const userAgents = [...agents.keys(), bot];

/** A time as shown by a time zone's clocks, computed only with `Intl`. */
interface Wall {
  /** Such as 2026-01-31. */
  readonly day: string;
  readonly hour: number;
  /** Such as 2026-01-31T09:30:00. */
  readonly text: string;
  /** Milliseconds from UTC. */
  readonly offset: number;
}

/** Returns a function that reads the clocks of a time zone. */
export function wallClock(timeZone: string): (time: number) => Wall {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return (time) => {
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const day = `${part.year}-${part.month}-${part.day}`;
    const text = `${day}T${part.hour}:${part.minute}:${part.second}`;
    const offset = Date.parse(`${text}Z`) - Math.floor(time / 1000) * 1000;
    return { day, hour: Number(part.hour), text, offset };
  };
}

const dayLength = 24 * 60 * 60 * 1000;

/** Returns the day a number of days after another. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayLength).toISOString().slice(0, 10);

/** 0 for Monday. */
const weekday = (day: string) => (new Date(day).getUTCDay() + 6) % 7;

/** Returns the step that a time is in. Clocks may show an hour twice, at different offsets. */
const stepOf = {
  hour: ({ day, hour, offset }: Wall) => `${day} ${hour} ${offset}`,
  day: ({ day }: Wall) => day,
  week: ({ day }: Wall) => dayAfter(day, -weekday(day)),
  month: ({ day }: Wall) => day.slice(0, 7),
};

/** Since 1990, offsets and thus the beginnings of hours and days are multiples of this. Milliseconds. */
const tick = 15 * 60 * 1000;

/** Returns when the steps of a range begin, by going through it in small ticks. */
function startsOf({ from, to, interval, timeZone }: Analytics): number[] {
  const clock = wallClock(timeZone);
  const starts: number[] = [];
  let last = "";
  for (let time = Date.parse(from) - dayLength; time < Date.parse(to) + 2 * dayLength; time += tick) {
    const wall = clock(time);
    if (wall.day < from || wall.day > to) continue;
    const step = stepOf[interval](wall);
    if (step !== last) starts.push(time);
    last = step;
  }
  return starts;
}

interface CountedScan extends ScanRecord {
  readonly at: number;
  readonly isBot: boolean;
  /** Whether it is the visitor's first scan of the code. */
  readonly isFirst: boolean;
}

/** Scans counted one by one, as a report should count them. */
export class CountedScans {
  readonly #scans: CountedScan[] = [];

  /** Counts scans in order of arrival. Ignores scans that were counted before. */
  record(records: readonly ScanRecord[]): void {
    for (const record of records) {
      if (this.#scans.some(({ id }) => id === record.id)) continue;
      const isBot = record.prefetch || record.userAgent === bot;
      const isKnown = this.#scans.some(
        ({ isBot, qrId, visitor }) => !isBot && qrId === record.qrId && visitor === record.visitor,
      );
      this.#scans.push({ ...record, at: timeOfId(record.id), isBot, isFirst: !isBot && !isKnown });
    }
  }

  /** Returns the human scans of codes. */
  humansOf(qrIds: readonly string[]): CountedScan[] {
    return this.#scans.filter(({ qrId, isBot }) => !isBot && qrIds.includes(qrId));
  }

  /**
   * Returns the totals and series of a report, for its own range, interval and time zone.
   * @param qrIds the codes that it covers
   */
  sums(report: Analytics, qrIds: readonly string[]): Pick<Analytics, "totals" | "series"> {
    const inRange = this.#inRange(report, qrIds);
    const clock = wallClock(report.timeZone);
    const starts = startsOf(report);
    return {
      totals: sumsOf(inRange, true),
      series: starts.map((start, i) => {
        const end = starts[i + 1] ?? Number.POSITIVE_INFINITY;
        const scans = inRange.filter(({ at }) => at >= start && at < end);
        const { text, offset } = clock(start);
        return { start: text + offsetText(offset), ...sumsOf(scans, report.interval !== "hour") };
      }),
    };
  }

  /** Returns the human scans in a report's range by a dimension's values: `[value, country]` as JSON, and scans. */
  counts(report: Analytics, qrIds: readonly string[], dimension: Dimension): Map<string, number> {
    const clock = wallClock(report.timeZone);
    const counts = new Map<string, number>();
    for (const scan of this.#inRange(report, qrIds)) {
      if (scan.isBot) continue;
      const key = JSON.stringify(dimensionValue(scan, dimension, clock(scan.at)));
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  #inRange({ from, to, timeZone }: Analytics, qrIds: readonly string[]): CountedScan[] {
    const clock = wallClock(timeZone);
    return this.#scans.filter(({ at, qrId }) => {
      const { day } = clock(at);
      return qrIds.includes(qrId) && from <= day && day <= to;
    });
  }
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / 60_000;
  const digits = [Math.floor(minutes / 60), minutes % 60].map((number) => String(number).padStart(2, "0"));
  return `${offset < 0 ? "-" : "+"}${digits.join(":")}`;
}

function sumsOf(scans: readonly CountedScan[], withVisitors: boolean): Omit<AnalyticsPoint, "start"> {
  const humans = scans.filter(({ isBot }) => !isBot);
  const visitors = new Set(humans.map(({ visitor }) => visitor)).size;
  return {
    scans: humans.length,
    newVisitors: humans.filter(({ isFirst }) => isFirst).length,
    visitors: withVisitors ? { count: visitors, exact: true, error: null } : null,
    botScans: scans.length - humans.length,
  };
}

/** Returns a scan's value of a dimension, and for a city its country. */
function dimensionValue(scan: CountedScan, dimension: Dimension, wall: Wall): (string | null)[] {
  switch (dimension) {
    case "country":
      return [scan.country];
    case "city":
      return [scan.city, scan.country];
    case "device":
    case "os":
    case "browser":
      return [agents.get(scan.userAgent)?.[dimension] ?? null];
    case "referrer":
      return [scan.referrer];
    case "code":
      return [scan.qrId];
    case "hourOfWeek":
      return [String(weekday(wall.day) * 24 + wall.hour)];
  }
}
