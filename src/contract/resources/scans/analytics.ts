import * as z from "zod";
import { limits } from "../../limits.ts";
import { pageLimit } from "../paging.ts";

/** The steps of a series. Weeks begin on Monday. */
export const Interval = z.enum(["hour", "day", "week", "month"]);
export type Interval = z.output<typeof Interval>;

/** The dimensions by which scans can be broken down. */
export const Dimension = z.enum([
  "country",
  "city",
  "device",
  "os",
  "browser",
  "referrer",
  "hourOfWeek",
  "code",
]);
export type Dimension = z.output<typeof Dimension>;

/** The period to compare a report with: the days just before it, or the same days a year earlier. */
export const Comparison = z.enum(["previous", "year"]);
export type Comparison = z.output<typeof Comparison>;

const day = z.iso.date({ error: "must be a date such as 2026-01-31", abort: true });

const count = z.number().int();

export const DistinctVisitors = z
  .object({
    count,
    exact: z.boolean(),
    error: z
      .number()
      .nullable()
      .meta({ description: "The standard error of an estimate, relative to the count; null if it is exact" }),
  })
  .meta({ id: "DistinctVisitors" });
export type DistinctVisitors = z.output<typeof DistinctVisitors>;

const sums = {
  scans: count.meta({ description: "Human scans, without bots and prefetches" }),
  newVisitors: count.meta({ description: "Visitors who scanned a code for the first time" }),
  visitors: DistinctVisitors.nullable().meta({
    description: "Distinct visitors; null in an hourly series, and if some scans have no visitor",
  }),
  botScans: count.meta({ description: "Scans by bots, and prefetches" }),
};

export const AnalyticsSums = z.object(sums).meta({ id: "AnalyticsSums" });
export type AnalyticsSums = z.output<typeof AnalyticsSums>;

export const AnalyticsPoint = z
  .object({
    start: z.iso.datetime({ offset: true }).meta({
      description: "When the step begins, in the time zone of the report",
    }),
    ...sums,
  })
  .meta({ id: "AnalyticsPoint" });
export type AnalyticsPoint = z.output<typeof AnalyticsPoint>;

export const DimensionItem = z
  .object({
    value: z.string().nullable().meta({
      description:
        "null if unknown, and for scans without a referrer. For `hourOfWeek`: 0 (Monday 00:00) to 167. For `code`: its id",
    }),
    scans: count,
    country: z.string().nullable().optional().meta({ description: "For a city" }),
    name: z.string().nullable().optional().meta({ description: "For a code" }),
    hash: z.string().optional().meta({ description: "For a code" }),
  })
  .meta({ id: "DimensionItem" });
export type DimensionItem = z.output<typeof DimensionItem>;

export const DimensionItems = z
  .object({
    items: z.array(DimensionItem).meta({ description: "Most scans first; hours of the week in order" }),
    other: z
      .object({ values: count, scans: count })
      .meta({ description: "The values that aren't listed, so that all sums agree" }),
    nextCursor: z.string().nullable().optional().meta({ description: "For `code`; null on its last page" }),
  })
  .meta({ id: "DimensionItems" });
export type DimensionItems = z.output<typeof DimensionItems>;

const period = { from: day, to: day, totals: AnalyticsSums, series: z.array(AnalyticsPoint) };

export const Rebuilding = z
  .object({
    timeZone: z.string().meta({ description: "The new time zone" }),
    progress: z.number().meta({ description: "From 0 to 1" }),
  })
  .meta({ id: "Rebuilding" });
export type Rebuilding = z.output<typeof Rebuilding>;

export const Analytics = z
  .object({
    timeZone: z.string().meta({ description: "IANA name of the reporting time zone" }),
    interval: Interval,
    ...period,
    dimensions: z
      .partialRecord(Dimension, DimensionItems)
      .meta({ description: "Each requested dimension. The scans of each add up to `totals.scans`" }),
    comparison: z.object(period).nullable(),
    allTime: z
      .object({ scans: count, visitors: count.nullable() })
      .meta({ description: "For a single code, `visitors` is exact; otherwise it is null" }),
    rebuilding: Rebuilding.nullable().meta({ description: "Set while reports move to a new time zone" }),
    incomplete: z
      .object({
        otherTimeZoneUntil: day.nullable(),
        daysWithoutVisitors: count,
        visitorsChangedOn: day.nullable(),
      })
      .meta({
        description:
          "Where numbers can't be exact: days up to this one were counted in an earlier time zone, because their scans are no longer kept; days on which scans without visitors were recorded; the day since which visitors on IPv6 are told apart by network, so that who had scanned before counts as new once more, if it is in the report",
      }),
  })
  .meta({ id: "Analytics" });
export type Analytics = z.output<typeof Analytics>;

/** A day in a request. The bounds keep all dates derived from it within four-digit years. */
const requestedDay = day.refine(
  (text) => text >= "2000-01-01" && text <= "2999-12-31",
  "must be between 2000-01-01 and 2999-12-31",
);

/** How many characters of an unknown dimension the error quotes. */
const repeatedCharacters = 40;

/** A list such as `country,device`, without duplicates. */
const dimensions = z
  .string()
  .optional()
  .transform((list = "", context) => {
    const names = new Set(list.split(",").map((name) => name.trim()));
    names.delete("");
    const known = [...names].flatMap((name) => Dimension.safeParse(name).data ?? []);
    const unknown = [...names].find((name) => !Dimension.safeParse(name).success);
    if (unknown !== undefined) {
      const repeated = unknown.slice(0, repeatedCharacters);
      const all = Dimension.options.join(", ");
      context.addIssue({ code: "custom", message: `can't contain \`${repeated}\`. Use ${all}.` });
    }
    return known;
  })
  .meta({
    description: `Breakdowns, separated by commas: ${Dimension.options.map((name) => `\`${name}\``).join(", ")}`,
  });

const query = {
  from: requestedDay
    .optional()
    .meta({ description: "First day, in the reporting time zone; by default 29 days before `to`" }),
  to: requestedDay.optional().meta({ description: "Last day, inclusive; by default today" }),
  interval: Interval.default("day").meta({ description: "The steps of the series. Weeks begin on Monday" }),
  dimensions,
  limit: pageLimit(limits.dimensionItems, "Values per dimension; the others are summed"),
  compare: Comparison.optional().meta({
    description: "Also report on the days just before, or on the same days a year earlier",
  }),
};

const isInOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }) =>
  from === undefined || to === undefined || from <= to;
const outOfOrder = { path: ["from"], error: "can't be after to" };

export const AnalyticsQuery = z.object(query).refine(isInOrder, outOfOrder);
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>;

export const WorkspaceAnalyticsQuery = z
  .object({
    ...query,
    tag: z.string().trim().optional().meta({ description: "Only QR codes that have this tag today" }),
    folderId: z.string().optional().meta({ description: "Only QR codes that are in this folder today" }),
    cursor: z.string().optional().meta({ description: "The `nextCursor` of the dimension `code`" }),
  })
  .refine(isInOrder, outOfOrder)
  .refine(({ tag, folderId }) => tag === undefined || folderId === undefined, {
    path: ["folderId"],
    error: "can't be combined with tag",
  });
export type WorkspaceAnalyticsQuery = z.output<typeof WorkspaceAnalyticsQuery>;

const timeZone = z
  .string()
  .meta({ description: "IANA name of the reporting time zone", example: "Europe/Berlin" });

const keepScansDays = z
  .literal([30, 90, 365], "must be 30, 90 or 365, or null to keep scans forever")
  .nullable()
  .meta({
    description:
      "Days for which scans are kept in lists and exports; null for no limit. Reports are kept in any case",
    example: 365,
  });

/** Omitted settings stay unchanged. */
export const ReportingSettingsInput = z
  .object({ timeZone: timeZone.optional(), keepScansDays: keepScansDays.optional() })
  .meta({ id: "ReportingSettingsInput" });
export type ReportingSettingsInput = z.output<typeof ReportingSettingsInput>;

export const ReportingSettings = z
  .object({ timeZone, keepScansDays, rebuilding: Rebuilding.nullable() })
  .meta({ id: "ReportingSettings" });
export type ReportingSettings = z.output<typeof ReportingSettings>;
