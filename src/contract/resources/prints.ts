import * as z from "zod";
import { limits } from "../limits.ts";
import { BulkFilter, type BulkSelection } from "./bulk-update.ts";
import { ImageFormat } from "./enums.ts";

const { print } = limits;

/** The sheets known by name. `lib/print/sheets.ts` has their dimensions. */
export const SheetFormat = z.enum(["L7160", "L7163", "L7651", "3474", "5160"]);

/** A number of millimetres. */
const millimetres = (min: number, max: number) => {
  const wrong = `must be a number of millimetres from ${min} to ${max}`;
  return z.number(wrong).min(min, wrong).max(max, wrong);
};

const size = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.strictObject({ width: millimetres(min, max), height: millimetres(min, max) });

const distances = (min: number, max: number) =>
  z.strictObject({ x: millimetres(min, max), y: millimetres(min, max) });

const corrections = (most: number) =>
  z.strictObject({ x: millimetres(-most, most).default(0), y: millimetres(-most, most).default(0) });

const labelsInLine = z.int().min(1).max(print.labelsInLine).default(1);

const OwnSheet = z
  .strictObject({
    page: size(print.page).optional().meta({
      description: "The page, which is the label if omitted: for rolls",
    }),
    label: size(print.label),
    columns: labelsInLine,
    rows: labelsInLine,
    pitch: distances(print.label.min, print.label.max).optional().meta({
      description: "From the edge of a label to the same edge of the next one; labels touch if omitted",
    }),
    origin: distances(0, print.page.max).optional().meta({
      description:
        "The upper left corner of the first label; labels are in the middle of the page if omitted",
    }),
  })
  .meta({ id: "LabelSheet", description: "A sheet of labels, or a roll. Lengths are in millimetres" });

const ownProperty = /^advanced\.[\w-]{1,100}$/;

const Caption = z
  .string()
  .refine(
    (text) => ["name", "link", "tags"].includes(text) || ownProperty.test(text),
    "must be name, link, tags or the path of a property of advanced, such as advanced.room",
  );

/** Which codes to use: by id, by filter, or those of a bulk job. */
export interface CodeSelection extends BulkSelection {
  readonly jobId?: string | undefined;
}

/** The fields of a selection. @param count maximum number of ids */
const selectionOf = (count: number) => ({
  ids: z
    .array(z.uuid("must be the id of a QR code").toLowerCase())
    .min(1, "must have at least one id")
    .max(count, `can have at most ${count} ids`)
    .transform((list) => [...new Set(list)])
    .optional()
    .meta({ description: "The codes, in this order; duplicates are removed" }),
  filter: BulkFilter.optional(),
  jobId: z.uuid("must be the id of a bulk job").toLowerCase().optional().meta({
    description: "The codes that a completed bulk job has created or changed, in its order",
  }),
});

const isOneSelection = ({ ids, filter, jobId }: CodeSelection) =>
  [ids, filter, jobId].filter((given) => given !== undefined).length === 1;

const oneSelection = {
  path: ["ids"],
  error: "or filter or jobId is required, but only one of them. The filter {} selects all codes.",
};

const printOptions = {
  format: SheetFormat.optional().meta({ description: "A sheet that is sold under this name" }),
  sheet: OwnSheet.optional(),
  start: z.int().min(1).default(1).meta({
    description: "The first label to print on, for a sheet that has been used; counted row by row",
  }),
  copies: z.int().min(1).max(print.copies).default(1).meta({ description: "Labels per code" }),
  captions: z
    .array(Caption)
    .max(print.captions, `must have at most ${print.captions} entries`)
    .default([])
    .meta({
      description:
        "The lines beside or below each code: `name`, `link`, `tags`, or the path of a property of `advanced`",
    }),
  captionSize: millimetres(print.captionSize.min, print.captionSize.max)
    .default(print.captionSize.default)
    .meta({ description: "The height of the captions' font" }),
  padding: millimetres(0, print.padding.max).default(print.padding.default).meta({
    description: "The margin along the edges of each label",
  }),
  cutMarks: z.boolean().default(false),
  ink: z.enum(["rgb", "k100"]).default("rgb").meta({
    description: "`k100` prints greys with black ink alone, over paper that is made white",
  }),
  dpi: z.int().min(print.dpi.min).max(print.dpi.max).default(print.dpi.default).meta({
    description: "Dots per inch of the printer. A label on which a module has fewer than 4 is refused",
  }),
  calibration: z
    .strictObject({
      offset: corrections(print.offset).default({ x: 0, y: 0 }),
      pitch: corrections(print.pitch).default({ x: 0, y: 0 }),
    })
    .default({ offset: { x: 0, y: 0 }, pitch: { x: 0, y: 0 } })
    .meta({ description: "Added to the sheet's origin and pitch, to correct a printer that is misaligned" }),
};

const isOneSheet = ({ format, sheet }: { readonly format?: unknown; readonly sheet?: unknown }) =>
  (format === undefined) !== (sheet === undefined);

const oneSheet = { path: ["format"], error: "or sheet is required, but not both" };

/** How codes are printed. */
export const PrintOptions = z.object(printOptions).refine(isOneSheet, oneSheet);
export type PrintOptions = z.output<typeof PrintOptions>;

export const PrintInput = z
  .object({ ...selectionOf(print.codes), ...printOptions })
  .refine(isOneSelection, oneSelection)
  .refine(isOneSheet, oneSheet)
  .meta({
    id: "PrintInput",
    example: {
      ids: ["0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71"],
      format: "L7160",
      captions: ["name", "link"],
    },
  });

/** The files of an archive. */
export const ArchiveOptions = z.object({ format: ImageFormat.default("svg") });
export type ArchiveOptions = z.output<typeof ArchiveOptions>;

export const ArchiveInput = z
  .object({ ...selectionOf(limits.archive.codes), ...ArchiveOptions.shape })
  .refine(isOneSelection, oneSelection)
  .meta({
    id: "ImageArchiveInput",
    example: { ids: ["0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71"], format: "svg" },
  });
