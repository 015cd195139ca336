/** Lists of texts, such as tags, in the cells of a table: joined by bars, or as JSON where that would be read otherwise. */

/** Returns the cell of a list. */
export function listCell(list: readonly string[]): string {
  const cell = list.join("|");
  return list.some((entry) => entry.includes("|")) || isJson(cell) ? JSON.stringify(list) : cell;
}

/** Returns the list in a cell, without empty entries. */
export function readList(cell: string): string[] {
  const entries = isJson(cell) ? (JSON.parse(cell) as string[]) : cell.split("|");
  return entries.filter((entry) => entry.trim() !== "");
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
