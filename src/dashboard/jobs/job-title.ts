import { limits } from "../../contract/limits.ts";
import type { ArchiveOptions, PrintJob, PrintOptions } from "../../contract/resources/images/prints.ts";
import type { DescribedJob } from "../../domain/bulk/job-lists.ts";
import type { PrintWork } from "../../domain/print/jobs.ts";
import { sheetFormats } from "../../lib/print/sheets.ts";
import { formatCount } from "../../ui/values/format.ts";
import type { Names } from "../bulk/change-facts.tsx";
import { short, titleOfChange } from "../bulk/change-title.ts";

/** Describes a job's work in few words. @param names of folders and templates; without them, titles don't name these */
export function titleOfJob({ job, change, source }: Omit<DescribedJob, "id">, names?: Names): string {
  const codes = formatCount(job.totalItems, "code");
  if (change?.revert !== undefined) return `Undo changes of ${codes}`;
  if (change?.rows === true) return `${job.kind === "create" ? "Create or change" : "Change"} ${codes}`;
  if (change !== null) return titleOfChange(change, codes, names);
  const rows = formatCount(job.totalItems, "row");
  return source?.fileName === undefined ? `Create ${codes}` : `Import ${rows} from ${short(source.fileName)}`;
}

/** A bulk job with its work, or a print job. */
export type ListedJob = Omit<DescribedJob, "id"> | PrintJob;

/** The job without its work. */
export const countsOf = (listed: ListedJob) => ("job" in listed ? listed.job : listed);

/** The page of a job. */
export const addressOfJob = (listed: ListedJob): string =>
  "job" in listed ? `/dashboard/jobs/${listed.job.jobId}` : `/dashboard/prints/${listed.jobId}`;

/** The work of a job in few words. @param names as in titleOfJob */
export const titleOf = (listed: ListedJob, names?: Names): string =>
  "job" in listed ? titleOfJob(listed, names) : titleOfPrint(listed);

/** The work of a print job in few words. */
export const titleOfPrint = ({ kind, totalItems }: PrintJob): string =>
  `Prepare ${kind === "images" ? "images of" : "labels for"} ${formatCount(totalItems, "code")}`;

/** Describes the files of a print job, such as `PNG, 2048 px` and `Labels on Avery L7160`. */
export const formatOfPrint = (options: PrintWork["options"]): string =>
  isArchive(options) ? formatOfImages(options) : `Labels on ${sheetName(options)}`;

const isArchive = (options: PrintWork["options"]): options is ArchiveOptions => "size" in options;

function formatOfImages({ format, size, mm, dpi, ink }: ArchiveOptions): string {
  if (format === "svg") return "SVG";
  if (format === "png") return mm === undefined ? `PNG, ${size} px` : `PNG, ${mm} mm at ${dpi} dpi`;
  const width = mm ?? limits.printedImage.width.default;
  return `PDF, ${width} mm${ink === "k100" ? ", black ink only" : ""}`;
}

function sheetName({ format, sheet }: PrintOptions): string {
  if (format !== undefined) return sheetFormats[format].products;
  if (sheet === undefined) return "a custom sheet";
  const { page, label } = sheet;
  return `${page === undefined ? "a roll" : "a custom sheet"}, ${label.width} × ${label.height} mm`;
}
