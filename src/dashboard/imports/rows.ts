import type { Folder } from "../../contract/resources/folders.ts";
import { failure, parseCells } from "../../domain/bulk/cells.ts";
import type { BulkRow, RowCells } from "../../domain/bulk/row.ts";
import { rowsOf, type Table } from "./table.ts";

/** What all rows get, unless they have it themselves. Tags are added to those of a row. */
export interface Common {
  readonly folderId: string;
  readonly templateId: string;
  readonly tags: readonly string[];
}

export const readCommon = (form: URLSearchParams): Common => ({
  folderId: form.get("folderId") ?? "",
  templateId: form.get("templateId") ?? "",
  tags: splitTags(form.get("tags") ?? "", ","),
});

const splitTags = (text: string, separator: string | RegExp): string[] =>
  text
    .split(separator)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** The rows of a table as those of a bulk request. Folders may be named. @param folders of the workspace */
export function rowsOfTable(table: Table, common: Common, folders: readonly Folder[]): BulkRow[] {
  const byName = new Map(folders.map(({ id, name }) => [name.toLowerCase(), id]));
  const ids = new Set(folders.map(({ id }) => id));
  return rowsOf(table).map((row) => {
    const cells = cellsOf(table, row);
    const folder = cells.folderId;
    const folderId =
      folder === undefined ? common.folderId : ids.has(folder) ? folder : byName.get(folder.toLowerCase());
    if (folderId === undefined) return failure("folderId", "is not a folder of this workspace", cells);
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
