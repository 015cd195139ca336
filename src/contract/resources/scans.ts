import * as z from "zod";
import { ExportFormat } from "./enums.ts";
import { limits } from "../limits.ts";
import { pageLimit } from "./paging.ts";

export const ScanListQuery = z.object({ limit: pageLimit(limits.scanList) });
export type ScanListQuery = z.output<typeof ScanListQuery>;

export const ExportQuery = z
  .object({
    qrId: z.string().optional().meta({ description: "Scans of this code alone" }),
    from: z.iso.date("must be a date such as 2026-01-31").optional().meta({ description: "First day, UTC" }),
    to: z.iso.date("must be a date such as 2026-01-31").optional().meta({ description: "Last day, UTC" }),
    format: ExportFormat.default("csv"),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["from"],
    error: "must not be after to",
  });
export type ExportQuery = z.output<typeof ExportQuery>;

/** Columns of the CSV export, properties of an NDJSON line. */
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
] as const;

export const ScanEvent = z
  .object({
    id: z.string(),
    qrId: z.uuid(),
    scannedAt: z.iso.datetime(),
    country: z.string().nullable().meta({ description: "ISO 3166-1 alpha-2" }),
    city: z.string().nullable(),
    device: z.string().nullable().meta({ description: "mobile, tablet, desktop, tv" }),
    os: z.string().nullable(),
    userAgent: z.string().nullable(),
  })
  .meta({ id: "ScanEvent" });
export type ScanEvent = z.output<typeof ScanEvent>;

export const ScanListResponse = z
  .object({
    stats: z.object({
      total: z.number().int().meta({ description: "Scans by people; bots and prefetches do not count" }),
      uniqueVisitors: z.number().int(),
    }),
    events: z.array(ScanEvent).meta({ description: "Newest first" }),
  })
  .meta({ id: "ScanListResponse" });
export type ScanListResponse = z.output<typeof ScanListResponse>;
