import Papa from "papaparse";

/** A CSV text that can't be read. The message is for whoever owns the file. */
export class CsvProblem extends Error {}

/** Bytes that are decoded and parsed at once. */
const slice = 64 * 1024;
/** A row longer than this (characters) means that a quote was left open. */
const longestRow = 256 * 1024;

/**
 * The records of a CSV, one after the other: RFC 4180, UTF-8 with or without a byte order mark, any line ends.
 * Comma, semicolon and tab separate, whichever the first line has. Empty lines are passed over.
 * @throws CsvProblem for what is not UTF-8, holds NUL, or has a quote that does not end
 */
export function* readCsv(bytes: Uint8Array): Generator<string[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  let delimiter: string | undefined;
  let records = 0;
  for (let at = 0; at === 0 || at < bytes.length; at += slice) {
    const last = at + slice >= bytes.length;
    text += decode(decoder, bytes.subarray(at, at + slice), last);
    delimiter ??= delimiterOf(text);
    const parser = new Papa.Parser({ delimiter, newline: lineEnd(text) });
    const { data, errors, meta } = parser.parse(text, 0, !last) as Papa.ParseResult<string[]>;
    const broken = errors.find((error) => error.type === "Quotes");
    if (broken !== undefined && (last || broken.code !== "MissingQuotes")) {
      throw new CsvProblem(
        `a quoted cell does not end as it should, near row ${records + (broken.row ?? 0)}`,
      );
    }
    for (const record of data) {
      if (record.length === 1 && record[0] === "") continue;
      records += 1;
      yield record;
    }
    text = text.slice(meta.cursor);
    if (text.length > longestRow) throw new CsvProblem(`row ${records} does not end; is a quote left open?`);
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, last: boolean): string {
  let text: string;
  try {
    text = decoder.decode(bytes, { stream: !last });
  } catch {
    throw new CsvProblem("the file is not valid UTF-8; save it as «CSV UTF-8»");
  }
  if (text.includes("\0")) throw new CsvProblem("the file holds NUL bytes; save it as «CSV UTF-8»");
  return text;
}

function delimiterOf(text: string): string {
  const [header = ""] = text.split(/[\r\n]/, 1);
  return [",", ";", "\t"].find((candidate) => header.includes(candidate)) ?? ",";
}

/** The first line end decides; quoted cells may hold others. */
function lineEnd(text: string): "\r\n" | "\n" | "\r" {
  const found = /\r\n|\n|\r/.exec(text)?.[0];
  return found === "\r\n" || found === "\r" ? found : "\n";
}

/**
 * A cell as CSV. A cell that a spreadsheet would take for a formula is defused with an apostrophe.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row as CSV, with its line end. */
export const csvRow = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(csvCell).join(",")}\r\n`;
