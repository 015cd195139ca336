import * as z from "zod";
import { limits } from "../../limits.ts";
import { oneLine } from "../../text.ts";
import { ListColumn, ListSort, SortOrder } from "../enums.ts";
import { QrFilters } from "./qr.ts";

/** Lists of codes that are saved: a filter with columns and order, named. */

const { q, tag, qrType, status, externalId, destinationHost } = QrFilters.shape;

const side = z.enum(["before", "after"]);
const days = z.string().regex(/[1-9]\d{0,3}d/);

/** When a code was scanned last: a day of the reporting time zone, or a number of days, of which today is the last. */
export const LastScan = z.union(
  [z.literal("never"), z.templateLiteral([side, "-", z.iso.date()]), z.templateLiteral([side, "-", days])],
  {
    error:
      "must be never, or before or after a day or a number of days, such as before-90d or after-2026-01-31",
  },
);

export type LastScan = z.output<typeof LastScan>;

/** If a filter's typo were ignored, the list would have all codes. */
export const SavedFilter = z
  .strictObject({
    ...{ q, tag, qrType, status, externalId, destinationHost },
    folderId: z.uuid("must be the id of a folder").optional().meta({
      description: "Only QR codes in this folder",
    }),
    destinationPart: z.string().max(limits.name).optional().meta({
      description: "Only QR codes whose destination contains this. `GET /qr` doesn't have this filter",
    }),
    scanned: LastScan.optional().meta({
      description:
        "Only QR codes whose last scan was before a day, or on it or later, such as `before-2026-01-31`; not in the last 90 days, or in them, such as `before-90d`; or `never`. `GET /qr` has `scannedBefore` and `scannedAfter`",
      example: "before-90d",
    }),
  })
  .meta({ id: "SavedFilter", description: "Filters of `GET /qr`; `{}` for all QR codes" });
export type SavedFilter = z.output<typeof SavedFilter>;

const fields = {
  name: oneLine(limits.savedLists.name).meta({ example: "Paused posters" }),
  shared: z.boolean().meta({
    description: "Whether all members have it, or only the person who saved it. Lists of keys are shared",
  }),
  filter: SavedFilter,
  sort: ListSort.meta({
    description: "What it is sorted by; `scans30d` are those of the last 30 days, in the dashboard alone",
  }),
  order: SortOrder,
  columns: z
    .array(ListColumn)
    .max(ListColumn.options.length)
    .transform((columns) => ListColumn.options.filter((column) => columns.includes(column)))
    .meta({
      description: "The columns that the dashboard shows, besides names. Their order is always the same",
    }),
};

/** The columns of a list for which none are chosen. */
export const usualColumns: readonly ListColumn[] = ["destination", "folder", "tags", "status", "scans30d"];

/** The direction in which a list is sorted first. */
export const firstOrder = (sort: ListSort): SortOrder =>
  ["createdAt", "updatedAt", "scans30d", "scans", "lastScan"].includes(sort) ? "desc" : "asc";

export const SavedListInput = z
  .object({
    name: fields.name,
    shared: fields.shared.optional(),
    filter: fields.filter.optional(),
    sort: fields.sort.optional(),
    order: fields.order.optional(),
    columns: fields.columns.optional(),
  })
  .meta({
    id: "SavedListInput",
    description: "Shared, of all QR codes, newest first and with the usual columns, unless it says otherwise",
  });
export type SavedListInput = z.output<typeof SavedListInput>;

export const SavedListUpdate = SavedListInput.extend({ name: fields.name.optional() }).meta({
  id: "SavedListUpdate",
  description: "Fields that are omitted stay unchanged",
});
export type SavedListUpdate = z.output<typeof SavedListUpdate>;

export const SavedList = z
  .object({
    id: z.uuid(),
    name: z.string(),
    shared: fields.shared,
    filter: SavedFilter,
    sort: ListSort,
    order: SortOrder,
    columns: z.array(ListColumn),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "SavedList" });
export type SavedList = z.output<typeof SavedList>;

export const SavedLists = z.object({ lists: z.array(SavedList) }).meta({ id: "SavedLists" });
