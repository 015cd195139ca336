import { type Entered, enteredFields } from "../../../contract/resources/codes/qr-fields.ts";
import { asSentence } from "../../../contract/sentences.ts";
import { setAt, valueAt } from "../../../lib/field-path.ts";
import type { StagedCode } from "../../../store/bulk/staging.ts";
import { listCell, readList } from "../../codes/list-cells.ts";
import type { ServiceError } from "../../errors.ts";
import { type BulkRow, parseRow, type RowCells, rowFailure } from "./row.ts";

/** Reads a table's row as the code to create, or explains why it is invalid. The column `url` is required. */
export function parseCells(cells: RowCells): BulkRow {
  if (cells.url === undefined) {
    return rowFailure("url", "is empty. Enter an address such as https://example.com.", { cells });
  }
  const { qrType = "url" } = cells;
  if (qrType !== "url") {
    return rowFailure("qrType", "must be url in a CSV file. Send codes of other types as JSON.", { cells });
  }
  const candidate: Record<string, unknown> = { data: { type: qrType }, qrType };
  for (const { column, path, kind } of enteredFields) {
    const cell = cells[column];
    if (cell === undefined) continue;
    setAt(candidate, path, kind === "list" ? readList(column, cell) : cell);
  }
  return { ...parseRow(candidate, columnForPath), cells };
}

/** Returns the cells of the row that would create this code; null if a table can't express it. */
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

function cellText(code: object, { column, path, kind }: Entered): string {
  const value = valueAt(code, path) ?? "";
  if (kind === "time") return value === "" ? "" : new Date(Number(value)).toISOString();
  return Array.isArray(value) ? listCell(column, value) : String(value);
}

/** Returns why a row fails, with the column's name instead of the field's for a row of a table. */
export const rowError = ({ message, invalid }: ServiceError, isTable: boolean): string =>
  isTable && invalid !== undefined
    ? asSentence(columnForPath(invalid.field.split(".")), invalid.problem)
    : message;

/** Returns the column from which a field of the input was read, or the columns of a field that is wrong as a whole. */
export function columnForPath([field = "", part]: readonly PropertyKey[]): string {
  const columns = enteredFields.filter((entered) => entered.field === field);
  const own = columns.filter((entered) => entered.part === undefined || entered.part === part);
  if (field === "data" && own.length === 0) return "qrType";
  return (own.length > 0 ? own : columns).map(({ column }) => column).join(", ") || String(field);
}
