import { type CsvForm, type CsvRecord, readRows, type Separator } from "./csv-rows.ts";
import { separatorOf } from "./csv-separator.ts";
import { FileDecoder } from "./file-decoder.ts";

export type { CsvRecord };

/** An unreadable CSV file. The message is for the person who uploaded it. */
export class CsvError extends Error {}

/** In characters. A longer row means that a quote was left open. */
const maxRowLength = 256 * 1024;

/** Characters from which the separator is chosen, unless the file is shorter. */
const sampleLength = 16 * 1024;

export interface CsvOptions {
  /** The most cells per row. Empty ones beyond that are dropped. */
  readonly maxColumns: number;
  /** The encoding of a file without a byte order mark; UTF-8 by default. */
  readonly charset?: string | undefined;
  /** The separator, if it is known; null if each line is one cell. By default, it is chosen from the first rows. */
  readonly separator?: Separator | null;
  /** The separator of a file whose first rows have none; a comma by default. */
  readonly otherwise?: Separator | null;
  /** Whether a cell names a column, which helps to choose the separator. */
  readonly isName?: (cell: string) => boolean;
  /** Whether the text was copied from a spreadsheet rather than saved; see CsvForm. */
  readonly isPasted?: boolean;
}

/**
 * Reads a CSV file block by block: RFC 4180 with any line breaks, in UTF-8, UTF-16 with a byte order mark, or the declared
 * encoding. The separator (comma, semicolon or tab) is chosen from the first rows; a line such as `sep=;` declares it and
 * isn't a row. Rows without text are skipped.
 *
 * Blocks of 64 KiB work well: an unfinished row is read again with the next block.
 */
export class CsvReader {
  readonly #options: CsvOptions;
  readonly #decoder: FileDecoder;
  #form: CsvForm | undefined;
  /** The text of the unfinished row. */
  #text = "";
  /** The line where it begins. */
  #line = 1;

  /** @throws CsvError for an unknown encoding */
  constructor(options: CsvOptions) {
    this.#options = options;
    const { charset } = options;
    try {
      this.#decoder = new FileDecoder(charset);
    } catch {
      throw new CsvError(`has an unknown encoding, ${charset?.slice(0, 50)}. Save it as “CSV UTF-8”.`);
    }
  }

  /**
   * Returns the records that end within these bytes.
   * @throws CsvError for bytes that aren't in the encoding, NUL characters, malformed quotes and too many columns
   */
  write(bytes: Uint8Array): CsvRecord[] {
    return this.#read(bytes, false);
  }

  /** Returns the file's last record, if no line break follows it. @throws CsvError like `write` */
  end(): CsvRecord[] {
    return this.#read(new Uint8Array(), true);
  }

  #read(bytes: Uint8Array, isLast: boolean): CsvRecord[] {
    let text = this.#text + decode(this.#decoder, bytes, isLast);
    if (this.#form === undefined) {
      const { isPasted = false, separator, otherwise = ",", isName = () => false } = this.#options;
      if (separator === undefined && text.length < sampleLength && !isLast) {
        this.#text = text;
        return [];
      }
      const [hint = "", stated] = separator === undefined ? (separatorLine.exec(text) ?? []) : [];
      if (stated !== undefined) this.#line += 1;
      text = text.slice(hint.length);
      const known = (stated as Separator | undefined) ?? separator;
      const chosen =
        known === undefined
          ? (separatorOf(text, { isPasted, isComplete: isLast, isName }) ?? otherwise)
          : known;
      // Text that has other separators isn't from a spreadsheet.
      this.#form = { separator: chosen, isPasted: isPasted && (chosen === "\t" || known !== undefined) };
    }
    const { records, next, malformed } = readRows(text, this.#form, isLast, this.#line);
    if (malformed !== undefined && !this.#form.isPasted) {
      throw new CsvError(
        `has a quoted cell without a closing quote, in the row that begins on line ${malformed}`,
      );
    }
    this.#text = text.slice(next.at);
    this.#line = next.line;
    if (this.#text.length > maxRowLength) {
      throw new CsvError(
        `has a row that never ends, from line ${this.#line} on. Look for a missing closing quote.`,
      );
    }
    return records.filter(({ cells }) => cells.some(hasText)).map((record) => this.#bounded(record));
  }

  #bounded(record: CsvRecord): CsvRecord {
    const { line, cells } = record;
    const { maxColumns } = this.#options;
    if (cells.length <= maxColumns) return record;
    if (cells.slice(maxColumns).some(hasText)) {
      throw new CsvError(`can have at most ${maxColumns} columns, but line ${line} has ${cells.length}`);
    }
    return { line, cells: cells.slice(0, maxColumns) };
  }
}

/** Returns whether a cell contains more than spaces. */
export const hasText = (cell: string): boolean => cell.trim() !== "";

function decode(decoder: FileDecoder, bytes: Uint8Array, isLast: boolean): string {
  let text: string;
  try {
    text = decoder.decode(bytes, isLast);
  } catch {
    const name = decoder.encoding.toUpperCase();
    throw new CsvError(`isn't valid ${name}. Save it as “CSV UTF-8”, or state its encoding.`);
  }
  if (text.includes("\0")) throw new CsvError("contains NUL bytes. Save it as “CSV UTF-8”.");
  return text;
}

/** A first line that declares the separator to a spreadsheet program. */
const separatorLine = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n|$)/i;

/** Numbers and phone numbers, which spreadsheets show as they are. */
const wholeNumber = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * Where a spreadsheet would start a formula. One that doesn't separate cells by commas starts a new cell after a
 * semicolon, tab or line break inside a cell. Full-width signs count as their ASCII forms. What already looks defused
 * counts, too, so that no two texts are written alike.
 */
const formulaStart = /^(?='*[\t\r])|(?<=^|[;\t\r\n])(?='*[=+\-@＝＋－＠])/g;

/** Where `csvCell` has put an apostrophe. */
const defusedStart = /^'(?='*[\t\r])|(?<=^|[;\t\r\n])'(?='*[=+\-@＝＋－＠])/g;

/** Returns the text that `csvCell` wrote as a cell, which a reader has taken out of its quotes. */
export const undefused = (cell: string): string => cell.replace(defusedStart, "");

/**
 * Formats a value as a CSV cell. Text that a spreadsheet would run as a formula gets an apostrophe in front.
 * Papa.unparse only does this at the start of a cell, and takes twice as long per row, which a streamed export of
 * millions of rows would notice.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = wholeNumber.test(text) ? text : text.replace(formulaStart, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Begins a file for spreadsheets, which otherwise misread UTF-8. */
export const byteOrderMark = "\ufeff";

/** Formats a row of CSV, with its line break. */
export const csvRow = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(",")}\r\n`;

/** How many bytes are read at once; see CsvReader. */
const blockBytes = 64 * 1024;

/**
 * Returns the records of a whole CSV file, with or without a header.
 * @param options `maxRecords`: if there are more, returns one more and doesn't read the rest
 * @throws CsvError like CsvReader
 */
export function readTable(
  bytes: Uint8Array,
  { maxRecords, ...options }: CsvOptions & { readonly maxRecords: number },
): (readonly string[])[] {
  const reader = new CsvReader(options);
  const records: (readonly string[])[] = [];
  const add = (read: readonly CsvRecord[]) => records.push(...read.map(({ cells }) => cells));
  for (let from = 0; from < bytes.length && records.length <= maxRecords; from += blockBytes) {
    add(reader.write(bytes.subarray(from, from + blockBytes)));
  }
  if (records.length <= maxRecords) add(reader.end());
  return records.slice(0, maxRecords + 1);
}

/**
 * Writes records as CSV that `readTable` reads unchanged. Not for spreadsheets, which might run a cell as a formula.
 */
export const writeTable = (records: readonly (readonly string[])[]): string =>
  records
    .map((cells) =>
      cells.map((text) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(","),
    )
    .join("\n");
