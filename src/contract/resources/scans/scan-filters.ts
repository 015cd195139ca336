import * as z from "zod";
import { limits } from "../../limits.ts";
import { cursor, pageLimit } from "../paging.ts";
import { shownAs } from "../../openapi-metadata.ts";

/** The filter value for scans whose field is unknown. */
export const unknownValue = "unknown";

const dayMilliseconds = 24 * 60 * 60 * 1000;
const isDay = (text: string) => text.length === "2026-01-31".length;

/** A day (UTC) or a time, as text. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "must be a day such as 2026-01-31 or a time such as 2026-01-31T09:30:00Z",
});

/** The start of a range, given as a day or a time. @returns epoch milliseconds */
export const rangeStart = moment.transform((text) => Date.parse(text));

/** The end of a range, given as a day or a time, which is included. @returns epoch milliseconds, exclusive */
export const rangeEnd = moment.transform((text) => Date.parse(text) + (isDay(text) ? dayMilliseconds : 1));

/** Metadata for a moment, whose schema OpenAPI can't show. */
export const describedMoment = (description: string) => ({
  description,
  ...shownAs({ type: "string" }),
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
    from: rangeStart
      .optional()
      .meta(
        describedMoment(
          "Scans since this day (UTC), such as 2026-01-31, or this time; in a URL, write the `+` of an offset as `%2B`",
        ),
      ),
    to: rangeEnd
      .optional()
      .meta(describedMoment("Scans up to the end of this day (UTC), or up to this time, inclusive")),
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
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ["from"],
    error: "can't be after to",
  });
export type ScanListQuery = z.output<typeof ScanListQuery>;
