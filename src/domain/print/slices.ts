import { limits } from "../../contract/limits.ts";
import type { ArchiveOptions, PrintOptions } from "../../contract/resources/images/prints.ts";
import { labelsOn } from "../../lib/print/sheets.ts";
import { listSelected } from "../../store/bulk/selection.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import type { PrintedCode } from "../../store/prints/files.ts";
import type { PrintJobRow } from "../../store/prints/jobs.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { SharedLogos } from "../images/images.ts";
import { yieldToOtherRequests } from "../yielding.ts";
import { drawFile } from "./archive.ts";
import { type Attempt, attemptDrawing } from "./attempt.ts";
import { noteOnReplaced } from "./captions.ts";
import { documentOf, drawPdf, type Label, labelOf, sheetOf } from "./labels.ts";
import { imagesInSlice, labelsInSlice } from "./pace.ts";
import { hasImageColumn, type TableResult, tableRow } from "./table.ts";

/** A job, and the codes it had when it began. */
export interface PrintWork {
  readonly context: WorkspaceContext;
  readonly job: PrintJobRow;
  readonly codes: readonly PrintedCode[];
  /** Called before each drawing. @throws if another worker has taken the job */
  readonly keep: () => Promise<void>;
}

/** The files of a slice, and how far it came. */
export interface PrintedSlice {
  readonly files: readonly { readonly name: string; readonly content: Uint8Array }[];
  /** The rows of the finished codes in the archive's table. */
  readonly table: string;
  readonly successes: number;
  readonly failures: number;
  readonly nextItem: number;
  readonly nextCopy: number;
}

/** Draws the next files of a job. @throws if it must be tried again */
export const drawSlice = (deps: Deps, work: PrintWork): Promise<PrintedSlice> =>
  work.job.kind === "images"
    ? drawImages(deps, work, work.job.options as ArchiveOptions)
    : drawLabels(deps, work, work.job.options as PrintOptions);

/** The result of a code. */
interface Result {
  readonly code: PrintedCode;
  readonly result: TableResult;
}

/** Returns the slice with these results. */
function sliceOf(
  deps: Deps,
  files: PrintedSlice["files"],
  results: readonly Result[],
  rowsById: ReadonlyMap<string, QrRow>,
  next: Pick<PrintedSlice, "nextItem" | "nextCopy">,
): PrintedSlice {
  const rows = results.map(({ code: [id, hash, name], result }) => {
    const activeDomain = rowsById.get(id)?.activeDomain ?? null;
    return tableRow(deps, { name, hash, activeDomain }, result);
  });
  const failures = results.filter(({ result }) => "error" in result).length;
  return { files, table: rows.join(""), successes: results.length - failures, failures, ...next };
}

const deleted = "The code was deleted.";

const noSpace = `The file of a print job can have at most ${limits.printJob.bytes / 1024 ** 2} MiB. Use a smaller size, or download this code by another job.`;

const isFull = ({ bytes }: PrintJobRow, added: number): boolean => bytes + added >= limits.printJob.bytes;

async function drawImages(
  deps: Deps,
  { context, job, codes, keep }: PrintWork,
  options: ArchiveOptions,
): Promise<PrintedSlice> {
  const end = deps.now() + deps.printSlice.milliseconds;
  const chosen = codes.slice(job.nextItem, job.nextItem + imagesInSlice(deps.printSlice, options));
  const rows = await readRows(deps, context, chosen);
  const logos = new SharedLogos(deps, context);
  const results: Result[] = [];
  const files: { name: string; content: Uint8Array }[] = [];
  let bytes = 0;
  for (const code of chosen) {
    const [id, , , file] = code;
    await keep();
    const attempt = isFull(job, bytes)
      ? { error: noSpace }
      : await attemptCode(deps, rows.get(id), (row) => drawFile(deps, context, logos, row, options));
    if ("drawn" in attempt) {
      files.push({ name: file, content: attempt.drawn });
      bytes += attempt.drawn.length;
    }
    const result = "drawn" in attempt ? { file } : attempt;
    results.push({
      code,
      result: hasImageColumn(options) ? { ...result, last: "drawn" in attempt ? file : "" } : result,
    });
    await yieldToOtherRequests(deps);
    if (bytes >= deps.printSlice.bytes || deps.now() >= end) break;
  }
  return sliceOf(deps, files, results, rows, { nextItem: job.nextItem + results.length, nextCopy: 0 });
}

async function drawLabels(
  deps: Deps,
  { context, job, codes, keep }: PrintWork,
  options: PrintOptions,
): Promise<PrintedSlice> {
  const sheet = sheetOf(options);
  const isFirst = job.successCount === 0 && job.nextCopy === 0;
  const start = isFirst ? options.start : 1;
  const file = `labels-${String(job.parts.length + 1).padStart(3, "0")}.pdf`;
  const logos = new SharedLogos(deps, context);
  const results: Result[] = [];
  const labels: Label[] = [];
  const printed = new Map<string, QrRow>();
  let room = labelsInSlice(deps.printSlice, labelsOn(sheet), options) - (start - 1);
  let { nextItem, nextCopy } = job;
  const atOnce = deps.printSlice.codes;
  // A failed code frees its place, but a slice tries only so many.
  const last = Math.min(codes.length, nextItem + Math.ceil(room / options.copies) + atOnce);
  while (room > 0 && nextItem < last) {
    const chosen = codes.slice(nextItem, Math.min(last, nextItem + atOnce));
    const rows = await readRows(deps, context, chosen);
    for (const [id, row] of rows) printed.set(id, row);
    for (const code of chosen) {
      if (room === 0) break;
      await keep();
      const attempt = isFull(job, 0)
        ? { error: noSpace }
        : await attemptCode(deps, rows.get(code[0]), (row) =>
            labelOf(deps, context, logos, sheet, row, options),
          );
      if ("drawn" in attempt) {
        const count = Math.min(room, options.copies - nextCopy);
        for (let copy = 0; copy < count; copy += 1) labels.push(attempt.drawn);
        room -= count;
        nextCopy += count;
        // The remaining copies are on the first sheet of the next slice.
        if (nextCopy < options.copies) break;
      }
      const note = ("drawn" in attempt && noteOnReplaced(attempt.drawn.replaced)) || "";
      results.push({ code, result: { ...("drawn" in attempt ? { file } : attempt), last: note } });
      nextItem += 1;
      nextCopy = 0;
      await yieldToOtherRequests(deps);
    }
  }
  const next = { nextItem, nextCopy };
  if (labels.length === 0) return sliceOf(deps, [], results, printed, next);
  await keep();
  const document = documentOf(deps, sheet, labels, { ...options, start });
  const pdf = await attemptDrawing(deps, () => drawPdf(deps, document));
  if ("drawn" in pdf) return sliceOf(deps, [{ name: file, content: pdf.drawn }], results, printed, next);
  const failed = results.map(({ code, result }) => ({
    code,
    result: "file" in result ? { ...pdf, last: "" } : result,
  }));
  return sliceOf(deps, [], failed, printed, next);
}

/** Returns the codes of the workspace that still exist, by id. */
async function readRows(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  codes: readonly PrintedCode[],
): Promise<ReadonlyMap<string, QrRow>> {
  const ids = codes.map(([id]) => id);
  const rows = await listSelected(deps.db, workspaceId, { ids }, ids.length);
  return new Map(rows.map((row) => [row.id, row]));
}

const attemptCode = async <T>(
  deps: Deps,
  row: QrRow | undefined,
  draw: (row: QrRow) => Promise<T>,
): Promise<Attempt<T>> => (row === undefined ? { error: deleted } : attemptDrawing(deps, () => draw(row)));
