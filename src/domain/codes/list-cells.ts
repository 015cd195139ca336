import type { BulkColumn } from "../../contract/resources/codes/qr-fields.ts";

/** Lists of texts in the cells of a table: joined by bars, or as JSON where that would be read otherwise. */

/** The characters of which the first that a cell has divides it. People separate tags by commas, too. */
const dividersOf = (column: BulkColumn): readonly string[] => (column === "tags" ? ["|", ","] : ["|"]);

/** Returns the cell of a list. */
export function listCell(column: BulkColumn, list: readonly string[]): string {
  const cell = list.join("|");
  const isDivided = list.some((entry) => dividersOf(column).some((divider) => entry.includes(divider)));
  return isDivided || isJson(cell) ? JSON.stringify(list) : cell;
}

/** Returns the list in a cell, without spaces around its entries and without empty ones. */
export function readList(column: BulkColumn, cell: string): string[] {
  const divider = dividersOf(column).find((each) => cell.includes(each)) ?? "|";
  const entries = isJson(cell) ? (JSON.parse(cell) as string[]) : cell.split(divider);
  return entries.flatMap((entry) => entry.trim() || []);
}

function isJson(cell: string): boolean {
  if (!cell.startsWith("[")) return false;
  try {
    const value: unknown = JSON.parse(cell);
    return Array.isArray(value) && value.every((entry) => typeof entry === "string");
  } catch {
    return false;
  }
}
