import { z } from "zod";
import { limits } from "./limits.ts";
import { pageLimit } from "./qr.ts";

export const ScanListQuery = z.object({ limit: pageLimit(limits.scanList) });
export type ScanListQuery = z.output<typeof ScanListQuery>;

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
