import { limits } from "../../contract/limits.ts";
import {
  type BulkColumn,
  type CodeColumn,
  codeColumns,
  enteredFields,
} from "../../contract/resources/codes/qr-fields.ts";
import { readDestination } from "../../lib/web/destination.ts";
import { columnNamed, columnWithWord } from "./column-names.ts";

/**
 * The columns that a table can have, with their labels. Tables can only create codes of type `url`. Those of an export
 * that say which code it is, and when it changed, matter where codes are changed.
 */
export const columnLabels: Readonly<Partial<Record<CodeColumn, string>>> = Object.fromEntries([
  ...enteredFields.flatMap(({ column, columnLabel }) => (column === "qrType" ? [] : [[column, columnLabel]])),
  ...[
    ["scanUrl", "Short link"],
    ["id", "Code id"],
    ["updatedAt", "Last changed"],
  ],
]);

/** A column of the person's table; undefined if it is left out. */
export type Column = CodeColumn | undefined;

export const readColumn = (text: string | null): Column =>
  codeColumns.find((column) => column === text && columnLabels[column] !== undefined);

/** Returns whether a text is one web address, whatever commas and semicolons are in its path. */
export function looksLikeAddress(text: string): boolean {
  const address = text.trim();
  return (
    address.includes(".") &&
    /^(?:https?:\/\/)?[^\s"',;/?#]+(?:[/?#][^\s"]*)?$/i.test(address) &&
    !/[,;]https?:/i.test(address) &&
    readDestination(address, limits.destination).ok
  );
}

/** Returns whether a text is an email address, which can't be a destination. */
export const looksLikeEmail = (text: string): boolean =>
  /^(mailto:)?[^\s@/]+@[^\s@/]+\.[^\s@/]+$/i.test(text.trim());

/** Returns whether a text could be a name, rather than a number, date, address or the like. */
const looksLikeName = (text: string): boolean =>
  /\p{L}{2}/u.test(text) &&
  text.length <= limits.name &&
  !looksLikeEmail(text) &&
  !readDestination(text, limits.destination).ok;

/** The columns that can be recognised by content, with the share of cells that must match. */
const contents: readonly (readonly [column: BulkColumn, isIn: (text: string) => boolean, share: number])[] = [
  ["url", looksLikeAddress, 0.5],
  ["dotsColor", (text) => /^#[0-9a-f]{6}$/i.test(text), 0.5],
  ["status", (text) => /^(active|paused)$/i.test(text), 0.5],
];

/** How many records are used for guessing columns. */
export const guessedFrom = 50;

/**
 * Returns how many of the first records are titles above the column names: rows above one that names two columns, or else
 * rows of one cell. Addresses end them.
 */
export function titleRows(records: readonly (readonly string[])[]): number {
  const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== "").length;
  const named = (cells: readonly string[]) => {
    const found = cells.flatMap((cell) => columnNamed(cell) ?? columnWithWord(cell) ?? []);
    return new Set(found).size;
  };
  const addressed = records.findIndex((cells) => cells.some(looksLikeAddress));
  const before = records.slice(0, addressed === -1 ? records.length : addressed);
  const header = before.findIndex((cells) => filled(cells) > 1 && named(cells) > 1);
  if (header !== -1) {
    const isHeader = (cells: readonly string[]) =>
      filled(cells) > 1 && cells.some((cell) => columnNamed(cell) === "url");
    return before.slice(0, header).some(isHeader) ? 0 : header;
  }
  const other = records.findIndex((cells) => filled(cells) > 1);
  const above = before.slice(0, Math.max(other, 0));
  return above.length === other && above.every((cells) => named(cells) === 0) ? other : 0;
}

/** Returns whether the first record contains column names. */
export function hasHeader([first = [], ...rest]: readonly (readonly string[])[]): boolean {
  if (first.some(looksLikeAddress)) return false;
  if (first.some((name) => columnNamed(name) !== undefined)) return true;
  return rest.slice(0, 1).some((cells) => cells.some(looksLikeAddress));
}

/**
 * Guesses the columns of a table, each at most once: by the names in its header, then by a word of these names, then by
 * the cells' content.
 */
export function guessColumns(
  header: readonly string[] | undefined,
  rows: readonly (readonly string[])[],
  width: number,
): Column[] {
  const columns: Column[] = Array<Column>(width).fill(undefined);
  const cells = columns.map((_, i) =>
    rows.slice(0, guessedFrom).flatMap((row) => {
      const text = row[i]?.trim() ?? "";
      return text === "" ? [] : [text];
    }),
  );
  const addressed = cells.map((texts) => texts.some(looksLikeAddress));
  const take = (index: number, column: Column) => {
    if (column === undefined || columns[index] !== undefined || columns.includes(column)) return;
    // A column named "Address" may contain postal addresses.
    if (column === "url" && addressed[index] !== true && addressed.includes(true)) return;
    if (columnLabels[column] !== undefined) columns[index] = column;
  };
  for (const named of [columnNamed, columnWithWord]) {
    for (const [i, name] of header?.entries() ?? []) take(i, named(name));
  }
  for (const [column, isIn, share] of contents) {
    const shares = cells.map((texts, i) => (columns[i] === undefined ? shareOf(texts, isIn) : 0));
    const most = Math.max(...shares);
    if (most >= share) take(shares.indexOf(most), column);
  }
  const nameIndex = cells.findIndex((texts, i) => columns[i] === undefined && areNames(texts));
  if (width > 1) take(nameIndex, "name");
  // The only column must be the destination.
  if (width === 1) take(0, "url");
  return columns;
}

const shareOf = (texts: readonly string[], isIn: (text: string) => boolean): number =>
  texts.length === 0 ? 0 : texts.filter(isIn).length / texts.length;

/** Names distinguish rows, so nearly all of them differ. */
const areNames = (texts: readonly string[]): boolean =>
  texts.length > 0 && new Set(texts).size / texts.length > 0.9 && shareOf(texts, looksLikeName) > 0.9;
