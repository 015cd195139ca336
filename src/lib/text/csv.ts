import Papa from "papaparse";

/** A CSV file that can't be read. The message is for the person who uploaded it. */
export class CsvError extends Error {}

/**
 * Bytes decoded and parsed at a time. In one piece, a hostile 16 MB file makes Papa Parse collect a gigabyte of errors;
 * its own chunking is asynchronous and csv-parse needs twice the code and the whole text too.
 */
const chunkBytes = 64 * 1024;
/** Characters. A longer row means that a quote was left open. */
const maxRowLength = 256 * 1024;

/**
 * The records of a CSV file, one by one: RFC 4180, UTF-8 with or without a byte order mark. The first line decides
 * which line end (LF, CRLF or CR) and which separator (comma, semicolon or tab) the file has. Empty lines are skipped.
 * @throws CsvError for invalid UTF-8, NUL characters and malformed quotes
 */
export function* readCsv(bytes: Uint8Array): Generator<string[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  let parser: Papa.Parser | undefined;
  let records = 0;
  let end = 0;
  do {
    const chunk = bytes.subarray(end, end + chunkBytes);
    end += chunk.length;
    const isLast = end === bytes.length;
    text += decode(decoder, chunk, isLast);
    parser ??= new Papa.Parser({ delimiter: delimiterOf(text), newline: lineEndOf(text) });
    const { data, errors, meta } = parser.parse(text, 0, !isLast) as Papa.ParseResult<string[]>;
    // An error in the unfinished last row may disappear once the rest of the row is there.
    const error = errors.find(({ type, row = 0 }) => type === "Quotes" && (isLast || row < data.length));
    if (error !== undefined) {
      throw new CsvError(`a quoted cell does not end as it should, near row ${records + (error.row ?? 0)}`);
    }
    for (const record of data) {
      if (record.length === 1 && record[0] === "") continue;
      records += 1;
      yield record;
    }
    text = text.slice(meta.cursor);
    if (text.length > maxRowLength) throw new CsvError(`row ${records} does not end; is a quote left open?`);
  } while (end < bytes.length);
}

function decode(decoder: TextDecoder, bytes: Uint8Array, isLast: boolean): string {
  let text: string;
  try {
    text = decoder.decode(bytes, { stream: !isLast });
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
