import * as z from "zod";
import { limits } from "../../limits.ts";
import { ClosedReason, ExportFormat } from "../enums.ts";
import { isInOrder, outOfOrder, rangeZone, scanKind } from "./scan-filters.ts";

const day = z.iso.date({ error: "must be a date such as 2026-01-31", abort: true });

export const ExportQuery = z
  .object({
    qrId: z.string().optional().meta({ description: "Only scans of this QR code" }),
    from: day.optional().meta({ description: "First day" }),
    to: day.optional().meta({ description: "Last day, inclusive" }),
    tz: rangeZone,
    kind: scanKind,
    format: ExportFormat.default("csv"),
  })
  .refine(isInOrder, outOfOrder);
export type ExportQuery = z.output<typeof ExportQuery>;

export const EraseScansQuery = z.object({
  sums: z.enum(["keep", "erase"]).meta({
    description:
      "`keep` erases each scan's time, place, device and visitor, and leaves totals and reports as they are; `erase` also takes the scans out of totals and reports, as if there had been none",
  }),
});

/** The columns of the CSV export, and properties of an NDJSON line. With scans by bots, `botRule` follows. */
export const exportColumns = [
  "id",
  "qrId",
  "hash",
  "scannedAt",
  "country",
  "city",
  "device",
  "os",
  "userAgent",
  "via",
] as const;

export const ScanEvent = z
  .object({
    id: z.string(),
    qrId: z.uuid(),
    scannedAt: z.iso.datetime(),
    country: z.string().nullable().meta({ description: "ISO 3166-1 alpha-2 code" }),
    city: z.string().nullable(),
    device: z.string().nullable().meta({ description: "mobile, tablet, desktop or tv; null if unknown" }),
    os: z.string().nullable(),
    userAgent: z.string().nullable(),
    via: z.string().nullable().meta({
      description:
        "The address by which the scan came: a domain of the workspace, such as `go.acme.com`, or an alias, such as `go.acme.com/menu`; null for the short link at the scan origin",
    }),
    botRule: z.string().nullable().optional().meta({
      description:
        "Only with `kind` `bot` or `all`: the rule by which the scan is a bot's, such as `isbot`, `prefetch` or `mail-scanner`; `unknown` if it was recorded before rules were; null for a human scan",
    }),
  })
  .meta({ id: "ScanEvent" });
export type ScanEvent = z.output<typeof ScanEvent>;

/** Dates are days of the reports' time zone. */
export const ClosedScans = z
  .object({
    total: z.number().int(),
    reasons: z
      .array(
        z.object({
          reason: ClosedReason,
          scans: z.number().int(),
          firstDay: z.iso.date(),
          lastDay: z.iso.date(),
        }),
      )
      .meta({ description: "By why they got no target, the latest first" }),
    days: z
      .array(z.object({ day: z.iso.date(), reason: ClosedReason, scans: z.number().int() }))
      .max(limits.closedDays)
      .meta({ description: `By day and reason, newest first: the last ${limits.closedDays}` }),
  })
  .meta({
    id: "ClosedScans",
    description:
      "Scans that got no target, because the code was paused, not yet started, expired, suspended or deleted. They are in no other figure. Programs' are left out as far as their user agents tell",
  });
export type ClosedScans = z.output<typeof ClosedScans>;

export const ClosedCodeList = z
  .object({
    items: z
      .array(
        z.object({
          qrId: z.uuid(),
          name: z.string().meta({ description: "Its name, or its short link without one" }),
          scanUrl: z.url(),
          reason: ClosedReason,
          scans: z.int().meta({ description: "Since the first of these days, for this reason" }),
          lastDay: z.iso.date(),
          erased: z
            .boolean()
            .meta({ description: "Whether its data is erased, so that it can't be restored" }),
        }),
      )
      .max(limits.stillScanned)
      .meta({ description: "The most scanned first" }),
    days: z.int().meta({ description: "How many days are looked at, today included" }),
    more: z.boolean().meta({ description: "Whether there may be others" }),
  })
  .meta({ id: "ClosedCodeList" });
export type ClosedCodeList = z.output<typeof ClosedCodeList>;

export const ClosedExportQuery = z
  .object({
    from: day.optional().meta({ description: "First day, of the reports' time zone" }),
    to: day.optional().meta({ description: "Last day, inclusive" }),
    format: ExportFormat.default("csv"),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, outOfOrder);
export type ClosedExportQuery = z.output<typeof ClosedExportQuery>;

/** The columns of an export of scans without a target. */
export const closedColumns = ["qrId", "hash", "day", "reason", "scans"] as const;

export const ScanListResponse = z
  .object({
    stats: z.object({
      total: z.number().int().meta({ description: "Human scans, without bots and prefetches" }),
      uniqueVisitors: z
        .number()
        .int()
        .meta({ description: "Distinct people, as far as address and user agent can tell them apart" }),
    }),
    events: z.array(ScanEvent).meta({ description: "Newest first" }),
    nextCursor: z.string().nullable().meta({
      description:
        "Pass as `cursor`, with the same filters, to get the next page; null on the last page. A page may have fewer events than `limit`, or none, before the last one",
    }),
    completeFrom: z.iso.datetime().nullable().meta({
      description:
        "If not null, older scans may be missing from the list. `stats` includes them, and the export includes those that are archived",
    }),
    closed: ClosedScans,
  })
  .meta({ id: "ScanListResponse" });
export type ScanListResponse = z.output<typeof ScanListResponse>;
