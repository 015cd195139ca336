import * as z from "zod";
import { limits } from "../../limits.ts";
import { shownAs } from "../../openapi-metadata.ts";
import { flag } from "../../text.ts";
import { BulkItemSelection, BulkItemStatus, BulkJobKind, BulkJobStatus } from "../enums.ts";
import { cursor, listOf, pageLimit } from "../paging.ts";
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
    rowIndex: z
      .number()
      .int()
      .meta({ description: "Index of the row, starting at 0. The download's `row` starts at 1" }),
    line: z.number().int().nullable().meta({
      description: "The line of the CSV on which a failed row begins; null for other rows",
    }),
    status: BulkItemStatus,
    createdQrId: z.uuid().nullable(),
    createdQrHash: z.string().nullable(),
    qrId: z.uuid().nullable().meta({ description: "The code to change; null in a job that creates codes" }),
    qrHash: z.string().nullable().meta({ description: "Its hash; null until the row has succeeded" }),
    changed: z.boolean().nullable().meta({
      description:
        "Whether the code was changed; false if it already matched. Null until the row has succeeded",
    }),
    scanUrl: z
      .url()
      .nullable()
      .meta({ description: "The short link of the code; null until the row has succeeded" }),
    updatedAt: z.iso.datetime().nullable().meta({
      description: "The code's new `updatedAt`, if the job has changed the code",
    }),
    error: z.string().nullable().meta({
      description:
        "Why the row failed and how to fix it. For a CSV, begins with the line on which the row begins",
      example: "line 3: url is empty. Enter an address such as https://example.com.",
    }),
  })
  .meta({ id: "BulkItem" });
export type BulkItem = z.output<typeof BulkItem>;

export const BulkJobQuery = z.object({
  items: BulkItemSelection.default("all").meta({
    description: "Which items the response contains; use `none` to poll for completion",
  }),
});

const BulkOutcome = z
  .object({ created: z.int(), changed: z.int(), unchanged: z.int() })
  .meta({ id: "BulkOutcome" });
export type BulkOutcome = z.output<typeof BulkOutcome>;

export const BulkJobWithItems = BulkJob.extend({
  outcome: BulkOutcome.nullable().meta({
    description:
      "How many codes a completed job of kind `create` has created and, with `upsert`, changed or found unchanged. Null for other jobs, and after `itemsExpireAt`",
  }),
  itemsExpireAt: z.iso
    .datetime()
    .nullable()
    .meta({
      description: `When the items are deleted, ${limits.bulkItemDays} days after completion; null until then`,
    }),
  items: z.array(BulkItem).meta({
    description: `The items selected by \`items\`, up to ${limits.bulk.rows}; the download has all. Empty after \`itemsExpireAt\``,
  }),
}).meta({ id: "BulkJobWithItems" });
export type BulkJobWithItems = z.output<typeof BulkJobWithItems>;

export const BulkCreationQuery = z.object({
  upsert: z
    .literal("externalId", "must be externalId")
    .optional()
    .meta({ description: "Changes the codes whose own id a row has, and creates the others" }),
  dryRun: flag.meta({ description: "Returns what the rows would do, and does nothing" }),
});
export type BulkCreationQuery = z.output<typeof BulkCreationQuery>;

/** Rows of a dry run that would fail. */
export const FailedRows = z
  .array(
    z.object({
      rowIndex: z.int().meta({ description: "Index of the row, starting at 0" }),
      line: z.int().nullable().meta({ description: "The line of the CSV on which it begins; null for JSON" }),
      column: z.string().nullable().meta({
        description: "The column or field that is wrong; null if it isn't one",
        example: "hash",
      }),
      error: z.string().meta({ description: "Why it would fail and how to fix it" }),
    }),
  )
  .meta({ description: `The first ${limits.bulkUpdate.failedRows} rows that would fail, with the reason` });
export type FailedRows = z.output<typeof FailedRows>;

/** The result of a dry run of a creation. */
export const BulkCreationPreview = z.object({
  created: z.int(),
  changed: z.int().meta({ description: "Codes that would change, with `upsert`" }),
  unchanged: z.int().meta({ description: "Codes that are so already, with `upsert`" }),
  failed: z.int(),
  cleared: z.array(z.string()).meta({
    description: "What the rows remove from codes",
    example: ["Removes the tags of 180 codes."],
  }),
  errors: FailedRows,
  warnings: z.array(z.string()).meta({
    description: "What may go wrong later: chosen short names that spreadsheets read as numbers or dates",
  }),
});
export type BulkCreationPreview = z.output<typeof BulkCreationPreview>;

export const BulkListQuery = z.object({ cursor, limit: pageLimit(limits.qrList) });
export type BulkListQuery = z.output<typeof BulkListQuery>;

export const BulkJobList = listOf(BulkJob, "BulkJobList");
export type BulkJobList = z.output<typeof BulkJobList>;

/** The list in a JSON body, validated as a whole. */
export const BulkItems = z.object({
  items: z.array(z.unknown()).min(1, "must have at least one entry"),
});

/** The JSON body. Items are validated one by one, so that an invalid item fails alone. */
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

/** The table as a file, for generated clients that send one. */
export const CsvFile = CsvText.meta({ ...CsvText.meta(), ...shownAs({ format: "binary" }) });

/** A table that changes codes, as a file. */
export const ChangesFile = z.string().meta({
  description: "The header of an export, with any of its columns in any order, then one row per QR code",
  example: "scanUrl,url,tags\nhttps://qr.example/menu,example.com/menu,summer|lunch\n",
  ...shownAs({ format: "binary" }),
});

export const Lines = z.string().meta({ description: "A stream of lines" });

/** The header row of the results CSV. That of a job which changes codes also has `updated_at`. */
export const downloadHeader = ["row", "status", "qr_id", "scan_url", "error"] as const;
