import { CsvError, readTable, writeTable } from "../../lib/text/csv.ts";
import { type Column, guessColumns, hasHeader, readColumn } from "./columns.ts";

/** A person's table. */
export interface Table {
  /** All rows with as many cells, with the names of the columns if it has them. */
  readonly records: readonly (readonly string[])[];
  readonly hasHeader: boolean;
  readonly columns: readonly Column[];
}

/** Reads a table that was uploaded or pasted, and guesses its columns. A plain list of addresses is one, too. @throws CsvError */
export function readUpload(bytes: Uint8Array): Table {
  const records = rectangular(joinLines(readTable(bytes)));
  const isNamed = hasHeader(records);
  const rows = records.slice(isNamed ? 1 : 0);
  const columns = guessColumns(isNamed ? records[0] : undefined, rows, records[0]?.length ?? 0);
  return { records, hasHeader: isNamed, columns };
}

/** Reads the table of a form with what was corrected and chosen in it. @throws CsvError */
export function readTableForm(form: URLSearchParams): Table {
  const records = rectangular(readTable(new TextEncoder().encode(form.get("text") ?? ""))).map((cells) => [
    ...cells,
  ]);
  for (const [name, text] of form) {
    const [, row, column] = /^cell\.(\d+)\.(\d+)$/.exec(name) ?? [];
    const record = records[Number(row)];
    if (record !== undefined && Number(column) < record.length) record[Number(column)] = text;
  }
  const columns = (records[0] ?? []).map((_, i) => readColumn(form.get(`column.${i}`)));
  return { records, hasHeader: form.get("header") === "on", columns };
}

/** The text of a table, as `readTableForm` reads it. */
export const textOfTable = ({ records }: Table): string => writeTable(records);

/** The rows below the header. */
export const rowsOf = ({ records, hasHeader: isNamed }: Table): readonly (readonly string[])[] =>
  isNamed ? records.slice(1) : records;

/** Where the first line is one cell, so are all others: an address may have a comma. */
const joinLines = (records: readonly string[][]): readonly string[][] =>
  records[0]?.length === 1 ? records.map((cells) => [cells.join(",")]) : records;

/** Records that are not empty, with as many cells as the longest has. */
function rectangular(records: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const filled = records.filter((cells) => cells.some((text) => text.trim() !== ""));
  const width = filled.reduce((most, { length }) => Math.max(most, length), 0);
  return filled.map((cells) => [...cells, ...Array<string>(width - cells.length).fill("")]);
}

/** What is wrong with a file that can't be read, to follow the name of its field. @throws the error if it is another */
export function fileProblem(error: unknown): string {
  if (error instanceof CsvError) return `can't be read: ${error.message}`;
  throw error;
}
