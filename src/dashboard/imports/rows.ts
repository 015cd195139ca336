import { bulkColumns, type CodeColumn } from "../../contract/resources/codes/qr-fields.ts";
import { parseCells } from "../../domain/bulk/rows/cells.ts";
import { parseChangeCells } from "../../domain/bulk/rows/change-rows.ts";
import {
  type BulkRow,
  type ChangeCells,
  type ChangeRow,
  type RowCells,
  type RowFailure,
  rowFailure,
} from "../../domain/bulk/rows/row.ts";
import { listCell, readList } from "../../domain/codes/list-cells.ts";
import type { Deps } from "../../domain/deps.ts";
import { jsonLength, yielding } from "../../domain/yielding.ts";
import { rowsOf, type Table } from "./table.ts";

/** Settings for all rows that don't have their own. Tags are added to a row's own. */
export interface Common {
  readonly folderId: string;
  readonly templateId: string;
  readonly tags: readonly string[];
}

export const readRowDefaults = (form: URLSearchParams): Common => ({
  folderId: form.get("folderId") ?? "",
  templateId: form.get("templateId") ?? "",
  tags: (form.get("tags") ?? "").split(",").flatMap((tag) => tag.trim() || []),
});

/** Returns the folders that a table's rows refer to, by name or id. */
export function foldersIn(table: Table): string[] {
  const at = table.columns.indexOf("folderId");
  return at === -1 ? [] : rowsOf(table).flatMap((row) => row[at]?.trim() || []);
}

/**
 * Converts a table's rows to those of a bulk request. Folders may be given by name. @param folderOf returns the
 * folder's id for a text
 */
export async function rowsOfTable(
  deps: Deps,
  table: Table,
  common: Common,
  folderOf: (text: string) => string | undefined,
): Promise<BulkRow[]> {
  const read = (row: readonly string[]): BulkRow => {
    const cells = cellsOf(table, row);
    const tooLong = tooManyCells(table, row, cells);
    if (tooLong !== undefined) return tooLong;
    const folder = cells.folderId;
    const folderId = folder === undefined ? common.folderId : folderOf(folder);
    if (folderId === undefined) return rowFailure("folderId", "isn't a folder of this workspace", { cells });
    const tags = listCell("tags", [...readList("tags", cells.tags ?? ""), ...common.tags]);
    const templateId = cells.templateId ?? common.templateId;
    return parseCells({
      ...cells,
      ...(folderId !== "" && { folderId }),
      ...(tags !== "" && { tags }),
      ...(templateId !== "" && { templateId }),
    });
  };
  const rows: BulkRow[] = [];
  for await (const row of yielding(deps, rowsOf(table), jsonLength)) rows.push(read(row));
  return rows;
}

/** Converts a table's rows to changes of the codes that they name. @param folderOf as in `rowsOfTable` */
export async function changesOfTable(
  deps: Deps,
  { columns, ...table }: Table,
  folderOf: (text: string) => string | undefined,
): Promise<ChangeRow[]> {
  const read = (row: readonly string[]): ChangeRow => {
    const entries = columns.flatMap((column, i) => (column === undefined ? [] : [[column, row[i] ?? ""]]));
    const cells: ChangeCells = Object.fromEntries(entries);
    const tooLong = tooManyCells({ columns }, row, cells);
    if (tooLong !== undefined) return tooLong;
    const folder = cells.folderId?.trim() ?? "";
    const folderId = folder === "" ? "" : folderOf(folder);
    if (folderId === undefined) {
      const problem = "isn't a folder of this workspace";
      return { error: problem, problems: { folderId: problem }, cells };
    }
    return {
      ...parseChangeCells(cells.folderId === undefined ? cells : { ...cells, folderId }),
      cells,
    };
  };
  const rows: ChangeRow[] = [];
  for await (const row of yielding(deps, rowsOf({ columns, ...table }), jsonLength)) rows.push(read(row));
  return rows;
}

/** Returns why a row fails that has more cells than there are columns, as those have that aren't whole. */
function tooManyCells(
  { columns }: Pick<Table, "columns">,
  row: readonly string[],
  cells: RowFailure["cells"] = {},
): RowFailure | undefined {
  if (row.length <= columns.length) return undefined;
  const problem =
    "The row doesn't have as many cells as the first row. Put quotes around a cell with a separator or line break.";
  return rowFailure("", problem, { cells });
}

function cellsOf({ columns }: Table, row: readonly string[]): RowCells {
  const entries = columns.map((column, i) => [column, row[i]?.trim() ?? ""] as const);
  return Object.fromEntries(entries.filter(([column, text]) => isCreated(column) && text !== ""));
}

/** Returns whether a new code gets what is in a column. */
const isCreated = (column: CodeColumn | undefined): boolean => bulkColumns.some((each) => each === column);
