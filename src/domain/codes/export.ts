import { limits } from "../../contract/limits.ts";
import type { BulkSelection } from "../../contract/resources/codes/bulk-update.ts";
import type { ListedQr, Qr, QrExportQuery, ReadFilter } from "../../contract/resources/codes/qr.ts";
import {
  type Entered,
  enteredFields,
  exportedColumns,
  scanColumns,
} from "../../contract/resources/codes/qr-fields.ts";
import { valueAt } from "../../lib/field-path.ts";
import { byteOrderMark, csvRow } from "../../lib/text/csv.ts";
import { countSelected, listSelected } from "../../store/bulk/selection.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { listQrs } from "../../store/codes/list.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requireScope } from "../context/permissions.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import { findFolders } from "../folders/folders.ts";
import { ifAvailable } from "../ledger.ts";
import { streamPageSize } from "../paging.ts";
import { listCell } from "./list-cells.ts";
import { type ListedScans, listedScans, requireTotals } from "./scans.ts";

/** The columns of an import except the short name, which is unique. A code created from the row gets its own. */
const columns = enteredFields.filter(({ column }) => column !== "hash");

/**
 * Exports codes as CSV for people, newest first: their short links, then the columns that an import reads, with folders
 * by name, when they changed, and their scans if the ledger responds, so that the file can be edited and imported.
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
  yield csvRow(["Short link", ...names, ...namesOfFacts]);
  for await (const rows of pagesOf(deps, context, selection)) {
    const folderIds = new Set(rows.flatMap(({ folderId }) => folderId ?? []));
    const folders = await findFolders(deps, context, [...folderIds]);
    // An import resolves a shared folder name to the oldest folder; the others are identified by id.
    const folderNames = new Map(folders.map(({ id, name, isNamesake }) => [id, isNamesake ? id : name]));
    const scans = await ifAvailable(deps, () => listedScans(deps, context, idsOf(rows)));
    const lineOf = (qr: Qr) => {
      const cells = columns.map((column) =>
        column.field === "folderId" ? (folderNames.get(qr.folderId ?? "") ?? "") : cellOf(qr, column),
      );
      return csvRow([qr.scanUrl, ...cells, qr.updatedAt, ...scanCells(scans?.get(qr.id))]);
    };
    yield rows.map((row) => lineOf(presentQr(row, deps.settings.scanOrigin))).join("");
  }
}

/** The headings of what is known of a code and can't be entered: when it was last changed, and its scans. */
const namesOfFacts = ["Last changed", "Scans", "Scans in 30 days", "Last scan"];

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

const scanCells = (scans: Pick<ListedQr, keyof ListedScans> = {}): string[] =>
  scanColumns.map((column) => `${scans[column] ?? ""}`);

/**
 * Streams the codes of a filter for programs, newest first: as CSV with the columns of an import and those by which the
 * file changes codes, or as NDJSON. With their scans, one call of the ledger a page.
 * @throws rate_limited for too many exports; forbidden for a key that can't read the scans
 */
export async function exportQr(
  deps: Deps,
  context: WorkspaceContext,
  { format, bom, include, ...filter }: ReadFilter<QrExportQuery>,
): Promise<AsyncIterable<Uint8Array>> {
  const withScans = include === "scans";
  if (withScans) requireScope(context, "scans:read");
  await requireTotals(deps, context, filter);
  const pages = codesOf(deps, context, { filter }, withScans);
  return leaseExport(deps, context, format === "csv" ? csvLines(pages, bom, withScans) : jsonLines(pages));
}

type Codes = AsyncIterable<readonly ListedQr[]>;

async function* codesOf(
  deps: Deps,
  context: WorkspaceContext,
  selection: BulkSelection,
  withScans: boolean,
): AsyncGenerator<readonly ListedQr[]> {
  for await (const rows of pagesOf(deps, context, selection)) {
    const scans = withScans ? await listedScans(deps, context, idsOf(rows)) : undefined;
    yield rows.map((row) => ({ ...presentQr(row, deps.settings.scanOrigin), ...scans?.get(row.id) }));
  }
}

async function* csvLines(pages: Codes, bom: boolean, withScans: boolean) {
  yield (bom ? byteOrderMark : "") + csvRow([...exportedColumns, ...(withScans ? scanColumns : [])]);
  for await (const codes of pages) {
    yield codes.map((qr) => csvRow([...cellsOfCode(qr), ...(withScans ? scanCells(qr) : [])])).join("");
  }
}

async function* jsonLines(pages: Codes) {
  for await (const codes of pages) yield codes.map((qr) => `${JSON.stringify(qr)}\n`).join("");
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
