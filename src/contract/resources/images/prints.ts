import * as z from "zod";
import { limits } from "../../limits.ts";
import { BulkFilter, type BulkSelection } from "../codes/bulk-update.ts";
import { PrintJobKind, PrintJobStatus } from "../enums.ts";

const { print } = limits;

/** The sheets known by name. `lib/print/sheets.ts` has their dimensions. */
export const SheetFormat = z.enum(["L7160", "L7163", "L7651", "3474", "5160"]);

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
    rotate: z
      .literal([0, 90, 180, 270], "must be 0, 90, 180 or 270")
      .optional()
      .meta({
        description:
          "Degrees by which each page is turned clockwise, for printers into which the roll feeds its labels sideways. " +
          "All lengths are those before it; by 90 or 270, the page of the PDF has the other's width and height",
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

const isOneSelection = ({ ids, filter, jobId }: { readonly [Key in keyof CodeSelection]: unknown }) =>
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
  copies: z.int().min(1).max(print.copies).default(1).meta({ description: "Copies per code" }),
  captions: z
    .array(Caption)
    .max(print.captions, `must have at most ${print.captions} entries`)
    .default([])
    .meta({
      description:
        "The lines beside or below each code: `name`, `link`, `tags`, or the path of a property of `advanced`",
    }),
  captionSize: millimetres(print.captionSize.min, print.captionSize.max)
    .optional()
    .meta({ description: "The height of the captions' font; by default what suits the size of the labels" }),
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

/** Labels of codes: those that are printed at once, or by a job. @param codes at most */
const printInput = (id: string, codes: number) =>
  z
    .object({ ...selectionOf(codes), ...printOptions })
    .refine(isOneSelection, oneSelection)
    .refine(isOneSheet, oneSheet)
    .meta({
      id,
      example: {
        ids: ["0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71"],
        format: "L7160",
        captions: ["name", "link"],
      },
    });

export const PrintInput = printInput("PrintInput", print.codes);
export const LabelJobInput = printInput("LabelJobInput", limits.printJob.codes);

const { image, printedImage } = limits;

const pixels = `must be a whole number between ${image.size.min} and ${image.size.max}`;

const archiveOptions = {
  format: z.enum(["svg", "png", "pdf"]).default("svg"),
  size: z
    .int(pixels)
    .min(image.size.min, pixels)
    .max(image.size.max, pixels)
    .default(image.size.default)
    .meta({
      description: "Width and height in pixels; of an image that is not square, the larger of the two",
    }),
  mm: millimetres(printedImage.width.min, printedImage.width.max)
    .optional()
    .meta({
      description: `Width in print, in millimetres; of an image that is not square, its longer side. A PDF has ${printedImage.width.default} if omitted. A PNG has as many whole dots for each module as fit into it, instead of \`size\``,
    }),
  dpi: z.int().min(printedImage.dpi.min).max(printedImage.dpi.max).default(printedImage.dpi.default).meta({
    description: "Dots per inch of the printer, for a PNG with `mm`",
  }),
  ink: printOptions.ink.meta({
    description: "Of a PDF. `k100` prints greys with black ink alone, over paper that is made white",
  }),
  encoding: z
    .enum(["utf-8", "utf-16"])
    .default("utf-8")
    .meta({
      description:
        "Of the table `codes.csv`. `utf-16`, little-endian and with a byte order mark, is the one from which the data " +
        "merge of InDesign reads every character",
    }),
};

/** The files of an archive. */
export const ArchiveOptions = z.object(archiveOptions);
export type ArchiveOptions = z.output<typeof ArchiveOptions>;

const archiveInput = (id: string, codes: number) =>
  z
    .object({ ...selectionOf(codes), ...archiveOptions })
    .refine(isOneSelection, oneSelection)
    .meta({
      id,
      example: { ids: ["0199a3c4-5b1e-7c52-9d0a-3f6b8e2d4a71"], format: "png", mm: 30 },
    });

export const ArchiveInput = archiveInput("ImageArchiveInput", limits.archive.codes);
export const ImageJobInput = archiveInput("ImageJobInput", limits.printJob.codes);

export const PrintJob = z
  .object({
    jobId: z.uuid(),
    kind: PrintJobKind.meta({ description: "Whether the job draws images or prints labels" }),
    status: PrintJobStatus,
    totalItems: z.number().int().meta({ description: "Codes of the job" }),
    successCount: z.number().int(),
    failureCount: z.number().int().meta({
      description: "Codes that could not be drawn. The table in the file says why",
    }),
    bytes: z.number().int().meta({ description: "Size of the file so far" }),
    createdAt: z.iso.datetime(),
    completedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the job was completed, failed or cancelled" }),
    fileExpiresAt: z.iso
      .datetime()
      .nullable()
      .meta({
        description: `When the file is removed, ${limits.printJob.fileHours} hours after the completion; null until then`,
      }),
    error: z
      .string()
      .nullable()
      .meta({ description: "Why the job failed; null unless its status is `failed`" }),
  })
  .meta({ id: "PrintJob" });
export type PrintJob = z.output<typeof PrintJob>;
