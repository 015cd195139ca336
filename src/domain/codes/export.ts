import { limits } from "../../contract/limits.ts";
import type { BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import type { Qr, QrExportQuery, ReadFilter } from "../../contract/resources/codes/qr.ts";
import { codeColumns, type Entered, enteredFields } from "../../contract/resources/codes/qr-fields.ts";
import { valueAt } from "../../lib/field-path.ts";
import { byteOrderMark, csvRow } from "../../lib/text/csv.ts";
import { countSelected, listSelected } from "../../store/bulk/selection.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { listQrs } from "../../store/codes/list.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import { findFolders } from "../folders/folders.ts";
import { streamPageSize } from "../paging.ts";
import { listCell } from "./list-cells.ts";

/** The columns of an import except the short name, which is unique. A code created from the row gets its own. */
const columns = enteredFields.filter(({ column }) => column !== "hash");

/**
 * Exports codes as CSV for people, newest first: their short links, then the columns that an import reads, with folders
 * by name, and when they changed, so that the file can be edited and imported.
 * @throws invalid_input if the selection has too many codes; rate_limited for too many exports
 */
export async function exportCodes(
  deps: Deps,
  context: WorkspaceContext,
  selection: BulkSelection,
): Promise<AsyncIterable<Uint8Array>> {
  const most = limits.bulkUpdate.codes;
  const matched = await countSelected(deps.db, context.workspaceId, selection);
  if (matched > most) {
    throw invalid("q", `matches ${matched}  codes, but a file can have at most ${most}. Narrow it down.`);
  }
  return leaseExport(deps, context, namedLines(deps, context, selection));
}

async function* namedLines(deps: Deps, context: WorkspaceContext, selection: BulkSelection) {
  const names = columns.map(({ columnLabel }) => columnLabel);
  yield csvRow(["Short link", ...names, lastChanged]);
  for await (const rows of pagesOf(deps, context, selection)) {
    const folderIds = new Set(rows.flatMap(({ folderId }) => folderId ?? []));
    const folders = await findFolders(deps, context, [...folderIds]);
    // An import resolves a shared folder name to the oldest folder; the others are identified by id.
    const folderNames = new Map(folders.map(({ id, name, isNamesake }) => [id, isNamesake ? id : name]));
    const lineOf = (qr: Qr) => {
      const cells = columns.map((column) =>
        column.field === "folderId" ? (folderNames.get(qr.folderId ?? "") ?? "") : cellOf(qr, column),
      );
      return csvRow([qr.scanUrl, ...cells, qr.updatedAt]);
    };
    yield rows.map((row) => lineOf(presentQr(row, deps.settings.scanOrigin))).join("");
  }
}

/** The heading of the time of a code's last change. */
const lastChanged = "Last changed";

/**
 * Streams the codes of a filter for programs, newest first: as CSV with the columns of an import and those by which the
 * file changes codes, or as NDJSON.
 * @throws rate_limited for too many exports
 */
export const exportQr = (
  deps: Deps,
  context: WorkspaceContext,
  { format, bom, ...filter }: ReadFilter<QrExportQuery>,
): Promise<AsyncIterable<Uint8Array>> =>
  leaseExport(
    deps,
    context,
    format === "csv" ? csvLines(deps, context, { filter }, bom) : jsonLines(deps, context, { filter }),
  );

async function* csvLines(deps: Deps, context: WorkspaceContext, selection: BulkSelection, bom: boolean) {
  yield (bom ? byteOrderMark : "") + csvRow(codeColumns);
  for await (const rows of pagesOf(deps, context, selection)) {
    yield rows.map((row) => csvRow(cellsOfCode(presentQr(row, deps.settings.scanOrigin)))).join("");
  }
}

async function* jsonLines(deps: Deps, context: WorkspaceContext, selection: BulkSelection) {
  for await (const rows of pagesOf(deps, context, selection)) {
    yield rows.map((row) => `${JSON.stringify(presentQr(row, deps.settings.scanOrigin))}\n`).join("");
  }
}

const cellsOfCode = (qr: Qr): string[] => [
  ...[qr.id, qr.scanUrl, ...enteredFields.map((column) => cellOf(qr, column))],
  ...[qr.data.type === "url" ? "" : JSON.stringify(qr.data), qr.createdAt, qr.updatedAt],
];

async function* pagesOf(
  { db }: Deps,
  { workspaceId }: WorkspaceContext,
  { ids, filter }: BulkSelection,
): AsyncGenerator<readonly QrRow[]> {
  if (ids !== undefined) return yield await listSelected(db, workspaceId, { ids }, ids.length);
  for (let after: string | null = null; ; ) {
    const page = await listQrs(db, workspaceId, { ...filter, limit: streamPageSize }, after);
    yield page.rows;
    after = page.rows.length < streamPageSize ? page.end : (page.rows.at(-1)?.id ?? null);
    if (after === null) return;
  }
}

function cellOf(qr: Qr, { column, path, field }: Entered): string {
  // Data of another type than url is in a cell of its own.
  if (field === "data" && qr.data.type !== "url") return "";
  const value = valueAt(qr, path) ?? "";
  return Array.isArray(value) ? listCell(column, value) : String(value);
}
