import { makeZip } from "client-zip";
import { limits } from "../../contract/limits.ts";
import { ImageQuery } from "../../contract/resources/images.ts";
import type { ArchiveOptions, CodeSelection } from "../../contract/resources/prints.ts";
import { csvRow } from "../../lib/text/csv.ts";
import type { QrRow } from "../../store/codes/columns.ts";
import type { Deps } from "../deps.ts";
import { leaseExport } from "../export-lease.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { prepareDrawing, SharedLogos } from "../images/images.ts";
import { FileNames } from "./file-names.ts";
import { selectCodes } from "./selection.ts";

/**
 * The images of many codes as a ZIP, drawn as it is read, and a table of them.
 * @throws not_found; invalid_input for too many codes, and a design that phones can't scan; rate_limited for too many exports
 */
export async function archiveImages(
  deps: Deps,
  context: WorkspaceContext,
  selection: CodeSelection,
  { format }: ArchiveOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const rows = await selectCodes(deps, context, selection, { codes: limits.archive.codes, in: "an archive" });
  const query = ImageQuery.parse({ format });
  return leaseExport(deps, context, makeZip(filesOf(deps, context, rows, query)));
}

/** The files of an archive: the images, and last a table of what was drawn. */
async function* filesOf(
  deps: Deps,
  context: WorkspaceContext,
  rows: readonly QrRow[],
  query: ImageQuery,
): AsyncGenerator<{ name: string; input: Uint8Array<ArrayBuffer> | string; lastModified: Date }> {
  const lastModified = new Date(deps.now());
  const names = new FileNames();
  const logos = new SharedLogos(deps, context);
  let table = csvRow(["name", "scanUrl", "file"]);
  for (const row of rows) {
    const file = await prepareDrawing(
      deps,
      { ...row, plan: context.plan },
      query,
      await logos.find(row.logoId),
    );
    const name = `${names.nameOf(row)}.${query.format}`;
    yield { name, input: await file.draw(), lastModified };
    table += csvRow([row.name, `${deps.settings.scanOrigin}/${row.hash}`, name]);
  }
  yield { name: "codes.csv", input: `\ufeff${table}`, lastModified };
}
