import * as z from "zod";
import { BulkItemSelection, BulkItemStatus, BulkJobKind, BulkJobStatus } from "./enums.ts";
import { limits } from "../limits.ts";
import { shownAs } from "../openapi-metadata.ts";
import { QrCreateInput } from "./qr.ts";

export const BulkJob = z
  .object({
    jobId: z.uuid(),
    kind: BulkJobKind.meta({ description: "Whether the job creates codes or changes them" }),
    status: BulkJobStatus,
    totalItems: z.number().int(),
    successCount: z.number().int(),
    failureCount: z.number().int(),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable().meta({ description: "When the job was completed or failed" }),
    error: z
      .string()
      .nullable()
      .meta({ description: "Why the job failed; null unless its status is `failed`" }),
  })
  .meta({ id: "BulkJob" });
export type BulkJob = z.output<typeof BulkJob>;

export const BulkItem = z
  .object({
    rowIndex: z.number().int().meta({ description: "Index of the row, starting at 0" }),
    status: BulkItemStatus,
    createdQrId: z.uuid().nullable(),
    createdQrHash: z.string().nullable(),
    qrId: z.uuid().nullable().meta({ description: "The code to change; null in a job that creates codes" }),
    qrHash: z.string().nullable().meta({ description: "Its hash, once it was found to be so or changed" }),
    changed: z.boolean().nullable().meta({
      description: "Whether the code was changed; false if it was so already. Null until then",
    }),
    error: z.string().nullable().meta({
      description: "Why the row failed and how to fix it; of a CSV, after the line in which the row begins",
      example: "line 3: url is empty. Enter an address such as https://example.com.",
    }),
  })
  .meta({ id: "BulkItem" });
export type BulkItem = z.output<typeof BulkItem>;

export const BulkJobQuery = z.object({
  items: BulkItemSelection.default("all").meta({
    description: "Which items the answer has; `none` suits a client that waits for the end",
  }),
});

export const BulkJobWithItems = BulkJob.extend({
  itemsExpireAt: z.iso
    .datetime()
    .nullable()
    .meta({
      description: `When the items are deleted, ${limits.bulkItemDays} days after the completion; null until then`,
    }),
  items: z.array(BulkItem).meta({
    description: `Those that \`items\` asks for, the first ${limits.bulk.rows}; the download has all. Empty after \`itemsExpireAt\``,
  }),
}).meta({ id: "BulkJobWithItems" });
export type BulkJobWithItems = z.output<typeof BulkJobWithItems>;

/** The list of a JSON body as a whole. */
export const BulkItems = z.object({
  items: z.array(z.unknown()).min(1, "must have at least one entry"),
});

/** The JSON body. Its reader validates the items one by one, so that an invalid one fails alone. */
export const BulkInput = z
  .object({
    items: z.array(QrCreateInput).min(1).max(limits.bulk.rows).meta({
      description: "An invalid item fails alone: the job reports its error, and the others are created",
    }),
  })
  .meta({ id: "BulkInput" });

export const CsvText = z.string().meta({
  description: "A header row, then one row per QR code",
  example: "name,url\nLunch menu,example.com/menu\n",
});

/** The same as a file, which generated clients send as it is. */
export const CsvFile = CsvText.meta({ ...CsvText.meta(), ...shownAs({ format: "binary" }) });

export const Lines = z.string().meta({ description: "A stream of lines" });

/** The header row of the results CSV. */
export const downloadHeader = ["row", "status", "qr_id", "scan_url", "error"] as const;
