/** A row of a CSV file; the header is one, too. */
export interface CsvRecord {
  /** The line of the file where it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type Separator = "," | ";" | "\t" | "|";

/** How rows are divided into cells. */
export interface CsvForm {
  /** null if each line is one cell. */
  readonly separator: Separator | null;
  /**
   * Whether the text was copied from a spreadsheet, which quotes cells with line breaks but doesn't double quotes: a
   * quote that can't begin a quoted cell is text.
   */
  readonly isPasted: boolean;
}

/** The complete rows at the beginning of a text. */
export interface CsvRows {
  readonly records: readonly CsvRecord[];
  /** Where the next row begins: in the text, and its line. */
  readonly next: { readonly at: number; readonly line: number };
  readonly hasQuoted: boolean;
  /** The line of the first row with a quote in the wrong place; undefined if there is none. */
  readonly malformed: number | undefined;
}

/** The characters that end a cell that isn't quoted. */
const ends: Readonly<Record<Separator | "", RegExp>> = {
  ",": /[,\r\n]/g,
  ";": /[;\r\n]/g,
  "\t": /[\t\r\n]/g,
  "|": /[|\r\n]/g,
  "": /[\r\n]/g,
};

/**
 * Divides a text into rows by RFC 4180, in linear time, except that every CRLF, LF and CR outside quotes ends a row:
 * programs, and people who join files, mix them.
 * @param text begins with a row
 * @param isLast whether the text is complete; otherwise, its last row isn't returned, unless a line break ends it
 * @param start the line of its first row
 * @param most the most rows to read
 */
export function readRows(
  text: string,
  { separator, isPasted }: CsvForm,
  isLast: boolean,
  start = 1,
  most = Number.POSITIVE_INFINITY,
): CsvRows {
  const end = ends[separator ?? ""];
  const records: CsvRecord[] = [];
  const hasQuotes = text.includes('"');
  let malformed: number | undefined;
  let cells: string[] = [];
  let isStray = false;
  let hasQuoted = false;
  let [at, line] = [0, start];
  let [nextAt, nextLine] = [at, line];
  while (records.length < most && (at < text.length || (isLast && cells.length > 0))) {
    const quoted = text[at] === '"' ? quotedCell(text, at, separator, isPasted, isLast) : "text";
    if (quoted === "unfinished") break;
    if (quoted === "text") {
      if (text[at] === '"') malformed ??= nextLine;
      end.lastIndex = at;
      const from = at;
      at = end.test(text) ? end.lastIndex - 1 : text.length;
      const cell = text.slice(from, at);
      isStray ||= hasQuotes && cell.includes('"');
      cells.push(cell);
    } else {
      hasQuoted = true;
      cells.push(quoted.cell);
      line += quoted.breaks;
      at = quoted.stop;
    }
    const stop = text[at];
    // A CR at the end of a part may be half of a CRLF.
    if (!isLast && (stop === undefined || (stop === "\r" && at + 1 === text.length))) break;
    at += stop === "\r" && text[at + 1] === "\n" ? 2 : 1;
    if (stop === separator) continue;
    // A quote that is missing joins rows, and then another is left over.
    if (isStray && line > nextLine) malformed ??= nextLine;
    isStray = false;
    // An empty line is no row.
    if (cells.length > 1 || cells[0] !== "") {
      records.push({ line: nextLine, cells });
      cells = [];
    } else cells.length = 0;
    line += 1;
    [nextAt, nextLine] = [Math.min(at, text.length), line];
  }
  return { records, next: { at: nextAt, line: nextLine }, hasQuoted, malformed };
}

/**
 * Reads a quoted cell.
 * @returns its text, where it stops, and how many line breaks it has; `unfinished` if the rest of the text is needed;
 * `text` if the quote doesn't begin a quoted cell
 */
function quotedCell(
  text: string,
  start: number,
  separator: Separator | null,
  isPasted: boolean,
  isLast: boolean,
): { readonly cell: string; readonly stop: number; readonly breaks: number } | "unfinished" | "text" {
  let close = text.indexOf('"', start + 1);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const inside = text.slice(start + 1, close === -1 ? text.length : close);
  // The quote is an inch sign, and so is that of a later cell.
  if (isPasted && (separator === null ? breaksIn(inside) > 0 : inside.includes(separator))) return "text";
  if (close === -1) return isLast ? "text" : "unfinished";
  let stop = close + 1;
  while (text[stop] === " ") stop += 1;
  const after = text[stop];
  if (after === undefined) {
    if (!isLast) return "unfinished";
  } else if (after !== separator && after !== "\r" && after !== "\n") return "text";
  return { cell: inside.replaceAll('""', '"'), stop, breaks: breaksIn(inside) };
}

function breaksIn(text: string): number {
  return text.includes("\n") || text.includes("\r") ? (text.match(/\r\n|\r|\n/g)?.length ?? 0) : 0;
}
