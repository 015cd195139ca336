import { describeIssues } from "../../contract/issues.ts";
import { type Entered, enteredFields } from "../../contract/resources/qr-fields.ts";
import type { StagedCode } from "../../store/bulk/staging.ts";
import { type BulkRow, parseRow, type RowCells } from "./row.ts";

/** The row of a table as the code to create, or why it is invalid. The column `url` is required. */
export function parseCells(cells: RowCells): BulkRow {
  if (cells.url === undefined) {
    return failure("url", "is empty; give an address such as https://example.com", cells);
  }
  const { qrType = "url" } = cells;
  if (qrType !== "url") {
    return failure("qrType", "must be url in a spreadsheet; send codes of other types as JSON", cells);
  }
  const candidate: Record<string, unknown> = { qrType };
  const objects: Record<string, object> = { data: { type: qrType } };
  for (const { column, field, part, kind } of enteredFields) {
    const cell = cells[column];
    if (cell === undefined) continue;
    const value = kind === "list" ? cell.split("|").filter((entry) => entry.trim() !== "") : cell;
    if (part === undefined) candidate[field] = value;
    else objects[field] = { ...objects[field], [part]: value };
  }
  return { ...parseRow({ ...candidate, ...objects }, columnForPath), cells };
}

/** The cells of a row that became this code; null if no table can hold it. */
export function cellsOf(code: Partial<StagedCode>): RowCells | null {
  if (code.data?.type !== "url") return null;
  const { qrType: _, hash, ...values } = code;
  const shown = code.chosenShortName === true ? { ...values, hash } : values;
  return Object.fromEntries(
    enteredFields.flatMap((entered) => {
      const text = cellText(shown, entered);
      return text === "" ? [] : [[entered.column, text]];
    }),
  );
}

function cellText(values: Partial<Record<string, unknown>>, { field, part, kind }: Entered): string {
  const value = values[field];
  const entry = part === undefined ? value : (value as Partial<Record<string, unknown>> | null)?.[part];
  if (entry === undefined || entry === null) return "";
  if (kind === "time") return new Date(Number(entry)).toISOString();
  return Array.isArray(entry) ? entry.join("|") : String(entry);
}

/** A row with a single problem. @param problem words that follow the column's name */
export const failure = (column: string, problem: string, cells: RowCells): BulkRow => ({
  error: describeIssues([{ path: [column], message: problem }]),
  problems: { [column]: problem },
  cells,
});

/** The column that a field of the input was read from; the columns of one that is wrong as a whole. */
export function columnForPath([field = "", part]: readonly PropertyKey[]): string {
  const columns = enteredFields.filter((entered) => entered.field === field);
  const own = columns.filter((entered) => entered.part === undefined || entered.part === part);
  if (field === "data" && own.length === 0) return "qrType";
  return (own.length > 0 ? own : columns).map(({ column }) => column).join(", ") || String(field);
}
