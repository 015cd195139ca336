import { limits } from "../../contract/limits.ts";
import type { JobSource } from "../../domain/bulk/jobs.ts";
import { CsvError, type CsvOptions, hasText, readTable, undefused, writeTable } from "../../lib/text/csv.ts";
import { usualCells } from "../../lib/text/csv-separator.ts";
import { columnNamed } from "./column-names.ts";
import {
  type Column,
  guessColumns,
  guessedFrom,
  hasHeader,
  looksLikeAddress,
  readColumn,
  titleRows,
} from "./columns.ts";

/** A person's table. */
export interface Table {
  /**
   * All rows, including the header if there is one. The first has as many cells as there are columns; those of others are
   * padded, but more cells than the first has are kept, for which the row fails.
   */
  readonly records: readonly (readonly string[])[];
  readonly hasHeader: boolean;
  readonly columns: readonly Column[];
  /** The name of its file; undefined if it was pasted. */
  readonly fileName?: string | undefined;
  /** Sentences that say how its text was read, where that isn't plain. */
  readonly notes?: readonly string[];
}

/** How many characters of a file's name, and of its column names, are kept. */
const nameLength = 100;

const tab = "\t".charCodeAt(0);

/** The most rows above the header that are left out. */
const mostTitles = 10;

/**
 * Reads an uploaded or pasted table and guesses its columns. A plain list of addresses is a table, too.
 * @param maxRows if there are more, at least one more is read
 * @param file undefined for pasted text
 * @throws CsvError
 */
export function readTableFile(bytes: Uint8Array, maxRows: number, file?: FileFacts): Table {
  const { records: read, notes: ofList } = readList(bytes, maxRows, file) ?? {
    records: readRecords(bytes, maxRows, { ...optionsOf(file), otherwise: null }),
    notes: [],
  };
  const filled = read.map((record) => record.map(undefused));
  const titles = filled.slice(0, titleRows(filled.slice(0, mostTitles + 1)));
  const records = used(evened(filled.slice(titles.length), file === undefined && bytes.includes(tab)));
  const isNamed = hasHeader(records);
  const rows = records.slice(isNamed ? 1 : 0);
  const columns = guessColumns(isNamed ? records[0] : undefined, rows, records[0]?.length ?? 0);
  const notes = [...ofList, ...titleNotes(titles)];
  return { records, hasHeader: isNamed, columns, fileName: readFileName(file?.name), notes };
}

interface FileFacts {
  readonly name?: string;
  readonly charset?: string | undefined;
}

const optionsOf = (file: FileFacts | undefined) => ({
  ...{ charset: file?.charset, isPasted: file === undefined },
  isName: (cell: string) => columnNamed(cell) !== undefined,
});

/** Returns the lines of a text of which each is one address, with or without a heading; undefined for any other text. */
function readList(bytes: Uint8Array, maxRows: number, file: FileFacts | undefined) {
  const options = { ...optionsOf(file), separator: null, isPasted: true } as const;
  // Most tables aren't lists, and show it at once.
  if (!isList(readRecords(bytes, 1, options))) return undefined;
  const records = readRecords(bytes, maxRows, options);
  if (!isList(records)) return undefined;
  // A program that saves one column puts such addresses in quotes, and people paste lists rather than tables without names.
  if (file !== undefined && mayBeColumns(records)) throw new CsvError(ambiguousList);
  return { records, notes: records.flat().some((line) => /[,;]/.test(line)) ? [listNote] : [] };
}

const listNote =
  "Each line was read as one address, with its commas and semicolons. If these separate columns, name the columns in a first line, such as url,name.";

const ambiguousList =
  "could have one address in each line, or several columns. Name them in a first line, such as url, or url,name.";

/** Whether every line has a separator, so that they can be columns. */
const mayBeColumns = (lines: readonly (readonly string[])[]): boolean =>
  [",", ";"].some((separator) => lines.every(([line = ""]) => line.includes(separator)));

function isList(lines: readonly (readonly string[])[]): boolean {
  const [first = "", ...others] = lines.map(([line = ""]) => line.trim());
  const isHeading = others.length > 0 && !/[,;\t]/.test(first);
  return (isHeading || looksLikeAddress(first)) && others.every(looksLikeAddress);
}

function titleNotes(titles: readonly (readonly string[])[]): string[] {
  const [title] = titles;
  if (title === undefined) return [];
  if (titles.length > 1) {
    return [`${titles.length} rows above the column names aren't part of the table and were left out.`];
  }
  const text = title.filter(hasText).join(" ").trim();
  const shown = text.length > nameLength ? `${text.slice(0, nameLength)}…` : text;
  return [`The row above the column names, “${shown}”, isn't part of the table and was left out.`];
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
  const text = new TextEncoder().encode(form.get("text") ?? "");
  const records = padded(readRecords(text, maxRows, { separator: "," }));
  for (const [name, text] of form) {
    const [, row, column] = /^cell\.(\d+)\.(\d+)$/.exec(name) ?? [];
    const record = records[Number(row)];
    if (record !== undefined && Number(column) < record.length) record[Number(column)] = text;
  }
  // A row or column whose text was removed would not be read again, and the later ones take its number.
  return {
    records: used(records).filter((cells) => cells.some(hasText)),
    hasHeader: form.get("header") === "on",
    columns: usedColumns(records).map((i) => readColumn(form.get(`column.${i}`))),
    fileName: readFileName(form.get("fileName")),
    notes: form
      .getAll("note")
      .slice(0, 2)
      .map((note) => note.slice(0, 300)),
  };
}

/** The header and the rows above it are read, too. */
const readRecords = (
  bytes: Uint8Array,
  maxRows: number,
  options: Omit<CsvOptions, "maxColumns">,
): (readonly string[])[] =>
  readTable(bytes, {
    ...options,
    maxColumns: limits.tableColumns,
    maxRecords: maxRows + 1 + mostTitles,
  });

/** The text of a table, as `readTableForm` reads it. The first record says how many columns there are. */
export const textOfTable = ({ records }: Table): string =>
  writeTable(
    records.map((cells, i) => {
      const isLong = i === 0 || cells.length > (records[0]?.length ?? 0);
      return isLong ? cells : cells.slice(0, cells.findLastIndex(hasText) + 1);
    }),
  );

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

/**
 * Returns records that have as many cells as the first, or one more at least where a row isn't whole: an unquoted separator
 * or line break has shifted its cells. Empty cells are no sign of that if most rows have them, nor missing ones at the end
 * unless a shift could put another address in place of the destination.
 * @param isWhole whether empty cells are never missing, as in a spreadsheet's clipboard
 */
function evened(records: readonly (readonly string[])[], isWhole: boolean): string[][] {
  const width = records[0]?.length ?? 0;
  const { cells: usual = 0 } = usualCells(records);
  const isCommon = (cells: readonly string[]) =>
    !isWhole && cells.length <= usual && !cells.slice(width).some(hasText);
  const addressed = new Set(
    records
      .slice(0, guessedFrom)
      .flatMap((cells) =>
        cells.flatMap((cell, i) =>
          looksLikeAddress(cell) || columnNamed(cell) === "fallbackUrl" ? [i] : [],
        ),
      ),
  );
  const isShort = (cells: readonly string[]) => (isWhole || addressed.size > 1) && cells.length < width;
  return records.map((cells) => {
    if (isCommon(cells) && cells.length >= width) return cells.slice(0, width);
    const missing = Math.max(0, width - cells.length) + (isShort(cells) ? 1 : 0);
    return [...cells, ...Array<string>(missing).fill("")];
  });
}

/** Records with at least as many cells as the first has. */
function padded(records: readonly (readonly string[])[]): string[][] {
  const width = records[0]?.length ?? 0;
  return records.map((cells) => [...cells, ...Array<string>(Math.max(0, width - cells.length)).fill("")]);
}

/** Records without the columns that have no text. */
function used(records: readonly (readonly string[])[]): string[][] {
  const columns = usedColumns(records);
  const width = records[0]?.length ?? 0;
  return records.map((cells) => [...columns.map((i) => cells[i] ?? ""), ...cells.slice(width)]);
}

/** The indexes of the columns in which a record has text. */
const usedColumns = (records: readonly (readonly string[])[]): number[] =>
  (records[0] ?? []).flatMap((_, i) => (records.some((cells) => hasText(cells[i] ?? "")) ? [i] : []));

/** Why a file can't be read, as in `asSentence`. @throws the error if it is another */
export function fileProblem(error: unknown): string {
  if (error instanceof CsvError) return error.message;
  throw error;
}
