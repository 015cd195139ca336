import { failure, parseCells } from "../../domain/bulk/cells.ts";
import type { BulkRow, RowCells } from "../../domain/bulk/row.ts";
import { rowsOf, type Table } from "./table.ts";

/** Settings of all rows that don't have their own. Tags are added to those of a row. */
export interface Common {
  readonly folderId: string;
  readonly templateId: string;
  readonly tags: readonly string[];
}

export const readRowDefaults = (form: URLSearchParams): Common => ({
  folderId: form.get("folderId") ?? "",
  templateId: form.get("templateId") ?? "",
  tags: splitTags(form.get("tags") ?? "", ","),
});

const splitTags = (text: string, separator: string | RegExp): string[] =>
  text
    .split(separator)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** The folders that the rows of a table name, by their names or ids. */
export const foldersIn = (table: Table): string[] =>
  rowsOf(table).flatMap((row) => cellsOf(table, row).folderId ?? []);

/** The rows of a table as those of a bulk request. Folders may be named. @param folderOf the id of the folder that a text names */
export function rowsOfTable(
  table: Table,
  common: Common,
  folderOf: (text: string) => string | undefined,
): BulkRow[] {
  return rowsOf(table).map((row) => {
    const cells = cellsOf(table, row);
    const folder = cells.folderId;
    const folderId = folder === undefined ? common.folderId : folderOf(folder);
    if (folderId === undefined) return failure("folderId", "isn't a folder of this workspace", cells);
    const tags = [...splitTags(cells.tags ?? "", /[,|]/), ...common.tags].join("|");
    const templateId = cells.templateId ?? common.templateId;
    return parseCells({
      ...cells,
      ...(folderId !== "" && { folderId }),
      ...(tags !== "" && { tags }),
      ...(templateId !== "" && { templateId }),
    });
  });
}

function cellsOf({ columns }: Table, row: readonly string[]): RowCells {
  const entries = columns.map((column, i) => [column ?? "", row[i]?.trim() ?? ""] as const);
  return Object.fromEntries(entries.filter(([column, text]) => column !== "" && text !== ""));
}
