import * as z from "zod";
import { parseDay } from "../../../lib/time/calendar.ts";
import { zoneOf } from "../../../lib/time/zone.ts";
import { canonicalTimeZone, isTimeZone } from "../../../lib/time/zone-name.ts";
import { limits } from "../../limits.ts";
import { shownAs } from "../../openapi-metadata.ts";
import { cursor, pageLimit } from "../paging.ts";

/** The filter value for scans whose field is unknown. */
export const unknownValue = "unknown";

const dayMilliseconds = 24 * 60 * 60 * 1000;
const isDay = (text: string) => text.length === "2026-01-31".length;

/** A day or a time, as text. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "must be a day such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z",
});

/** The start of a range, given as a day or a time. @returns epoch milliseconds */
export const rangeStart = moment.transform((text) => Date.parse(text));

/** The end of a range, given as a day or a time, which is included. @returns epoch milliseconds, exclusive */
export const rangeEnd = moment.transform((text) => Date.parse(text) + (isDay(text) ? dayMilliseconds : 1));

/** The time zone of a range's days. */
export const rangeZone = z
  .string()
  .refine(isTimeZone, { error: "must be an IANA time zone such as Europe/Berlin", abort: true })
  .optional()
  .meta({
    description:
      "The time zone of the days in `from` and `to`, an IANA name such as `Europe/Berlin`: that of the reports, for example. UTC by default",
  });

/** The ends of a range, each a day or a time, and the time zone of days. */
interface Range {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly tz?: string | undefined;
}

/** Returns a range's times, epoch milliseconds: `from` inclusive, `until` exclusive. */
export function timesOf({ from, to, tz }: Range): {
  readonly from: number | undefined;
  readonly until: number | undefined;
} {
  const zone = zoneOf((tz === undefined ? null : canonicalTimeZone(tz)) ?? "UTC");
  const start = (text: string) => (isDay(text) ? zone.startOf(parseDay(text)) : Date.parse(text));
  const end = (text: string) => (isDay(text) ? zone.startOf(parseDay(text) + 1) : Date.parse(text) + 1);
  return { from: from === undefined ? from : start(from), until: to === undefined ? to : end(to) };
}

/** The condition that a range begins before it ends. */
export function isInOrder(range: Range): boolean {
  const { from, until } = timesOf(range);
  return from === undefined || until === undefined || from < until;
}
export const outOfOrder = { path: ["from"], error: "can't be after to" };

/** Metadata for a moment, whose schema OpenAPI can't show. */
export const describedMoment = (description: string) => ({
  description,
  ...shownAs({ type: "string" }),
});

/** Whose scans to read: people's, those of programs and prefetches, or both. */
export const ScanKind = z.enum(["human", "bot", "all"]);
export type ScanKind = z.output<typeof ScanKind>;

export const scanKind = ScanKind.default("human").meta({
  description:
    "`human` scans, those by a `bot` (prefetches included), or `all`. Of scans by bots, only id, time, code, user agent and rule are kept",
});

const Device = z.enum(["mobile", "tablet", "desktop", "tv", unknownValue]);

/** In lower case, so that a cursor doesn't depend on the spelling. */
const nameInScans = z
  .string()
  .min(1, "can't be empty")
  .max(limits.scanName, `can have at most ${limits.scanName} characters`)
  .toLowerCase();

export const ScanListQuery = z
  .object({
    limit: pageLimit(limits.scanList),
    cursor,
    from: moment
      .optional()
      .meta(
        describedMoment(
          "Scans since this day, such as 2026-01-31, or this time; in a URL, write the `+` of an offset as `%2B`",
        ),
      ),
    to: moment
      .optional()
      .meta(describedMoment("Scans up to the end of this day, or up to this time, inclusive")),
    tz: rangeZone,
    kind: scanKind,
    country: z
      .string()
      .regex(
        new RegExp(`^([a-z][a-z0-9]|${unknownValue})$`, "i"),
        `must be a two-letter country code such as DE, or ${unknownValue}`,
      )
      .transform((text) => (text.toLowerCase() === unknownValue ? unknownValue : text.toUpperCase()))
      .optional()
      .meta({
        description: "ISO 3166-1 alpha-2 code, or `unknown`",
        ...shownAs({ type: "string" }),
      }),
    device: z
      .string()
      .toLowerCase()
      .pipe(Device)
      .optional()
      .meta(shownAs({ type: "string", enum: Device.options })),
    os: nameInScans
      .optional()
      .meta({ description: "A system as in `os` of a scan, such as `iOS`, in any case; or `unknown`" }),
    browser: nameInScans
      .optional()
      .meta({ description: "A browser as in reports, such as `Safari`, in any case; or `unknown`" }),
  })
  .refine(isInOrder, outOfOrder);
export type ScanListQuery = z.output<typeof ScanListQuery>;
