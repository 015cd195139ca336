import Papa from "papaparse";
import { Utf8Decoder } from "./utf8.ts";

/** A CSV file that can't be read. The message is for the person who uploaded it. */
export class CsvError extends Error {}

/** Characters. A longer row means that a quote was left open. */
const maxRowLength = 256 * 1024;

/**
 * Reads a CSV file block by block: RFC 4180, UTF-8 with or without a byte order mark. The first block must contain the
 * first line, which decides which line end (LF, CRLF or CR) and which separator (comma, semicolon or tab) the file has.
 * Empty lines are skipped. Blocks of 64 KiB suit it: an unfinished row is parsed again with the next block, and in one
 * piece a hostile 16 MB file makes Papa Parse collect a gigabyte of errors. Papa's own chunking is asynchronous, and
 * csv-parse needs twice the code and the whole text too.
 */
export class CsvReader {
  readonly #decoder = new Utf8Decoder();
  #parser: Papa.Parser | undefined;
  /** The text of the unfinished row. */
  #text = "";
  #records = 0;

  /** The records that end in these bytes. @throws CsvError for invalid UTF-8, NUL characters and malformed quotes */
  write(bytes: Uint8Array): string[][] {
    return this.#read(bytes, false);
  }

  /** The record that the file ends with, if no line end follows it. @throws CsvError as `write` */
  end(): string[][] {
    return this.#read(new Uint8Array(), true);
  }

  #read(bytes: Uint8Array, isLast: boolean): string[][] {
    const text = this.#text + decode(this.#decoder, bytes, isLast);
    this.#parser ??= new Papa.Parser({ delimiter: delimiterOf(text), newline: lineEndOf(text) });
    const { data, errors, meta } = this.#parser.parse(text, 0, !isLast) as Papa.ParseResult<string[]>;
    // An error in the unfinished last row may disappear once the rest of the row is there.
    const error = errors.find(({ type, row = 0 }) => type === "Quotes" && (isLast || row < data.length));
    if (error !== undefined) {
      throw new CsvError(
        `a quoted cell does not end as it should, near row ${this.#records + (error.row ?? 0)}`,
      );
    }
    const records = data.filter((record) => record.length !== 1 || record[0] !== "");
    this.#records += records.length;
    this.#text = text.slice(meta.cursor);
    if (this.#text.length > maxRowLength) {
      throw new CsvError(`row ${this.#records} does not end; is a quote left open?`);
    }
    return records;
  }
}

function decode(decoder: Utf8Decoder, bytes: Uint8Array, isLast: boolean): string {
  let text: string;
  try {
    text = decoder.decode(bytes, isLast);
  } catch {
    throw new CsvError("the file is not valid UTF-8; save it as “CSV UTF-8”");
  }
  if (text.includes("\0")) throw new CsvError("the file contains NUL bytes; save it as “CSV UTF-8”");
  return text;
}

function delimiterOf(text: string): string {
  const [header = ""] = text.split(/[\r\n]/, 1);
  return [",", ";", "\t"].find((candidate) => header.includes(candidate)) ?? ",";
}

/** The first line end of the file. Later ones inside quoted cells may differ. */
function lineEndOf(text: string): "\r\n" | "\n" | "\r" {
  const found = /\r\n|\n|\r/.exec(text)?.[0];
  return found === "\r\n" || found === "\r" ? found : "\n";
}

/** Numbers and phone numbers, which a spreadsheet shows as they are. */
const wholeNumber = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * The places where a spreadsheet would begin a formula. In one that does not separate cells by commas, a semicolon, a
 * tab or a line end inside a cell begins a new one. Full-width signs count as their ASCII forms.
 */
const formulaStart = /^[\t\r]|(?<=^|[;\t\r\n])[=+\-@＝＋－＠]/g;

/**
 * A value as a CSV cell. An apostrophe is put before text that a spreadsheet would run as a formula. Papa.unparse does
 * this at the start of a cell only, in twice the time per row, which a streamed export of millions of rows would feel.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = wholeNumber.test(text) ? text : text.replace(formulaStart, "'$&");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of CSV, with its line end. */
export const csvRow = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(",")}\r\n`;

/** Bytes that are read at once: see CsvReader. */
const blockBytes = 64 * 1024;

/** The records of a whole CSV file, also without a header. @throws CsvError as CsvReader */
export function readTable(bytes: Uint8Array): string[][] {
  const reader = new CsvReader();
  const records: string[][] = [];
  for (let from = 0; from < bytes.length; from += blockBytes) {
    for (const record of reader.write(bytes.subarray(from, from + blockBytes))) records.push(record);
  }
  return [...records, ...reader.end()];
}

/** Records as CSV that `readTable` reads as they are. Not for spreadsheets, which might run a cell as a formula. */
export const writeTable = (records: readonly (readonly string[])[]): string =>
  records
    .map((cells) =>
      cells.map((text) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(","),
    )
    .join("\n");
