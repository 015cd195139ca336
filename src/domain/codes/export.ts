import { limits } from "../../contract/limits.ts";
import type { BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import type { Qr } from "../../contract/resources/codes/qr.ts";
import { type Entered, enteredFields } from "../../contract/resources/codes/qr-fields.ts";
import { byteOrderMark, csvRow } from "../../lib/text/csv.ts";
import { valueAt } from "../../lib/field-path.ts";
import { countSelected, listSelected } from "../../store/bulk/selection.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { listQrs } from "../../store/codes/list.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import { findFolders } from "../folders/folders.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { streamPageSize } from "../paging.ts";

/** The columns of an import except the short name, which is unique. A code created from the row gets its own. */
const columns = enteredFields.filter(({ column }) => column !== "hash");

/**
 * Exports codes as CSV, newest first: their short links, then the columns that an import reads, so that the file can be
 * edited and imported. Folders are named.
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
  return leaseExport(deps, context, codeLines(deps, context, selection));
}

async function* codeLines(deps: Deps, context: WorkspaceContext, selection: BulkSelection) {
  yield byteOrderMark + csvRow(["Short link", ...columns.map(({ columnLabel }) => columnLabel)]);
  for await (const rows of pagesOf(deps, context, selection)) {
    const folderIds = new Set(rows.flatMap(({ folderId }) => folderId ?? []));
    const folders = await findFolders(deps, context, [...folderIds]);
    // An import resolves a shared folder name to the oldest folder; the others are identified by id.
    const names = new Map(folders.map(({ id, name, isNamesake }) => [id, isNamesake ? id : name]));
    yield rows.map((row) => lineOf(presentQr(row, deps.settings.scanOrigin), names)).join("");
  }
}

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

const lineOf = (qr: Qr, folders: ReadonlyMap<string, string>): string =>
  csvRow([qr.scanUrl, ...columns.map((column) => cellOf(qr, column, folders))]);

function cellOf(qr: Qr, { path, column }: Entered, folders: ReadonlyMap<string, string>): string {
  const value = valueAt(qr, path) ?? "";
  if (column === "folderId") return folders.get(String(value)) ?? "";
  return Array.isArray(value) ? value.join("|") : String(value);
}
