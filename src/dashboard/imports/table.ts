import { limits } from "../../contract/limits.ts";
import { CsvError, hasText, readTable, undefused, writeTable } from "../../lib/text/csv.ts";
import type { JobSource } from "../../domain/bulk/jobs.ts";
import { type Column, guessColumns, hasHeader, readColumn } from "./columns.ts";

/** A person's table. */
export interface Table {
  /** All rows, padded to the same number of cells, including the header if there is one. */
  readonly records: readonly (readonly string[])[];
  readonly hasHeader: boolean;
  readonly columns: readonly Column[];
  /** The name of its file; undefined if it was pasted. */
  readonly fileName?: string | undefined;
}

/** How many characters of a file's name, and of its column names, are kept. */
const nameLength = 100;

/**
 * Reads an uploaded or pasted table and guesses its columns. A plain list of addresses is a table, too.
 * @param maxRows if there are more, one more is read
 * @throws CsvError
 */
export function readTableFile(bytes: Uint8Array, maxRows: number, file: FileFacts = {}): Table {
  const cells = joinLines(readRecords(bytes, maxRows, file.charset));
  const read = rectangular(cells.map((record) => record.map(undefused)));
  const used = usedColumns(read);
  const records = read.map((cells) => used.map((i) => cells[i] ?? ""));
  const isNamed = hasHeader(records);
  const rows = records.slice(isNamed ? 1 : 0);
  const columns = guessColumns(isNamed ? records[0] : undefined, rows, records[0]?.length ?? 0);
  return { records, hasHeader: isNamed, columns, fileName: readFileName(file.name) };
}

interface FileFacts {
  readonly name?: string;
  readonly charset?: string | undefined;
}

const readFileName = (name: string | null | undefined): string | undefined =>
  name
    ?.toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .slice(-nameLength) || undefined;

/**
 * Reads the table from a form, with corrections and chosen columns. @param maxRows as in `readTableFile` @throws
 * CsvError
 */
export function readTableForm(form: URLSearchParams, maxRows: number): Table {
  const records = rectangular(readRecords(new TextEncoder().encode(form.get("text") ?? ""), maxRows));
  for (const [name, text] of form) {
    const [, row, column] = /^cell\.(\d+)\.(\d+)$/.exec(name) ?? [];
    const record = records[Number(row)];
    if (record !== undefined && Number(column) < record.length) record[Number(column)] = text;
  }
  // A row or column whose text was removed would not be read again, and the later ones take its number.
  const used = usedColumns(records);
  return {
    records: records.filter((cells) => cells.some(hasText)).map((cells) => used.map((i) => cells[i] ?? "")),
    hasHeader: form.get("header") === "on",
    columns: used.map((i) => readColumn(form.get(`column.${i}`))),
    fileName: readFileName(form.get("fileName")),
  };
}

/** The first record may be the names of the columns. */
const readRecords = (bytes: Uint8Array, maxRows: number, charset?: string) =>
  readTable(bytes, { maxColumns: limits.tableColumns, maxRecords: maxRows + 1, charset });

/** The text of a table, as `readTableForm` reads it. The first record says how many columns there are. */
export const textOfTable = ({ records }: Table): string =>
  writeTable(records.map((cells, i) => (i === 0 ? cells : cells.slice(0, cells.findLastIndex(hasText) + 1))));

/** The rows below the header. */
export const rowsOf = ({ records, hasHeader: isNamed }: Table): readonly (readonly string[])[] =>
  isNamed ? records.slice(1) : records;

/** The name of a column in its table; undefined if it has none. */
export function columnName({ records, hasHeader: isNamed }: Table, index: number): string | undefined {
  const name = isNamed ? records[0]?.[index]?.trim() : "";
  return name === "" ? undefined : name?.slice(0, nameLength);
}

/** The table that the rows of a job came from. */
export function sourceOf(table: Table): JobSource {
  const named = table.columns.flatMap((column, i) => {
    const name = columnName(table, i)?.toWellFormed();
    return column === undefined || name === undefined ? [] : [[column, name] as const];
  });
  return {
    ...(table.fileName !== undefined && { fileName: table.fileName }),
    columns: Object.fromEntries(named),
  };
}

/** The columns as they would be guessed. */
export const guessedColumns = (table: Table): readonly Column[] =>
  guessColumns(table.hasHeader ? table.records[0] : undefined, rowsOf(table), table.columns.length);

/** Where the first line is one cell, so are all others: an address may have a comma. */
const joinLines = (records: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  records[0]?.length === 1 ? records.map((cells) => [cells.join(",")]) : records;

/** Records with as many cells as the longest has. */
function rectangular(records: readonly (readonly string[])[]): string[][] {
  const width = records.reduce((most, { length }) => Math.max(most, length), 0);
  return records.map((cells) => [...cells, ...Array<string>(width - cells.length).fill("")]);
}

/** The indexes of the columns in which a record has text. */
const usedColumns = (records: readonly (readonly string[])[]): number[] =>
  (records[0] ?? []).flatMap((_, i) => (records.some((cells) => hasText(cells[i] ?? "")) ? [i] : []));

/** Why a file can't be read, as in `asSentence`. @throws the error if it is another */
export function fileProblem(error: unknown): string {
  if (error instanceof CsvError) return error.message;
  throw error;
}
