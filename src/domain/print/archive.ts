import { limits } from "../../contract/limits.ts";
import type { ArchiveOptions, CodeSelection } from "../../contract/resources/images/prints.ts";
import { workUnits } from "../../contract/work-units.ts";
import { type ZipEntry, zipDirectory, zipEntry, zippedFile } from "../../lib/zip.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { leaseExport } from "../export-lease.ts";
import { takeHeavyWork } from "../heavy-work.ts";
import { prepareDrawing, SharedLogos } from "../images/images.ts";
import { attemptDrawing } from "./attempt.ts";
import { printedFile } from "./code-file.ts";
import { FileNames } from "./file-names.ts";
import { selectCodes } from "./selection.ts";
import { tableName, tableOf, tableRow } from "./table.ts";

/**
 * Streams the images of many codes as a ZIP, drawn as it is read, with a table of its files. A code that can't be drawn
 * is only in the table.
 * @throws not_found; invalid_input for too many codes; rate_limited for too many exports, or too much in a minute
 */
export async function archiveImages(
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  options: ArchiveOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const rows = await selectCodes(deps, context, selection, {
    codes: limits.archive.codes,
    in: "an archive",
    remedy: "For more, start a job with POST /qr/images/jobs.",
  });
  await takeHeavyWork(deps, context.workspaceId, rows.length * unitsOfFile(options));
  return leaseExport(deps, context, piecesOf(deps, context, rows, options));
}

/** A PNG in millimetres may be as large as any. */
function unitsOfFile({ format, mm, size }: ArchiveOptions): number {
  if (format === "svg") return 0;
  return format === "pdf" ? workUnits.pdf(1) : workUnits.png(mm === undefined ? size : limits.drawnPng);
}

async function* piecesOf(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly QrRow[],
  options: ArchiveOptions,
): AsyncGenerator<Uint8Array> {
  const time = deps.now();
  const names = new FileNames();
  const logos = new SharedLogos(deps, context);
  const entries: ZipEntry[] = [];
  const zipped = (name: string, content: Uint8Array) => {
    const entry = zipEntry(name, content);
    entries.push(entry);
    return zippedFile(entry, content, time);
  };
  let table = "";
  for (const row of rows) {
    const file = `${names.nameOf(row)}.${options.format}`;
    const attempt = await attemptDrawing(deps, () => drawFile(deps, context, logos, row, options));
    table += tableRow(deps, row, "drawn" in attempt ? { file, last: file } : { ...attempt, last: "" });
    if ("drawn" in attempt) yield zipped(file, attempt.drawn);
  }
  yield zipped(tableName, tableOf(table, "@image", options.encoding));
  yield zipDirectory(entries, time);
}

/** Draws the image of a code in an archive. @throws like printedFile */
export async function drawFile(
  deps: Deps,
  context: WorkspaceContext,
  logos: SharedLogos,
  row: QrRow,
  { size, ...options }: Omit<ArchiveOptions, "encoding">,
): Promise<Uint8Array<ArrayBuffer>> {
  const logo = await logos.find(row.logoId);
  const code = { ...row, plan: context.plan };
  const file = await printedFile(deps, options, (format, pixels = size, use) =>
    prepareDrawing(deps, code, { format, size: pixels, download: false }, logo, use),
  );
  return file.draw();
}
