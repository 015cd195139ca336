import type { ArchiveOptions } from "../../contract/resources/images/prints.ts";
import { byteOrderMark, csvRow } from "../../lib/text/csv.ts";
import { utf16 } from "../../lib/text/utf16.ts";
import type { NamedCode } from "../../store/bulk/selection.ts";
import { type QrRow, scanUrlOf } from "../../store/codes/columns.ts";
import type { Deps } from "../deps.ts";

/** The name of the table in an archive. */
export const tableName = "codes.csv";

/** The result of a code in an archive, with its cell in the last column if there is one. */
export type TableResult = ({ readonly file: string } | { readonly error: string }) & {
  readonly last?: string;
};

/**
 * The name of a table's last column. Labels have notes, which are empty for most. Images repeat their file there, under
 * the name that InDesign's data merge expects for pictures.
 */
type LastColumn = "note" | "@image";

/** Returns whether the table of images has its last column. A job begun by 1.1.0 has none. */
export const hasImageColumn = ({ encoding }: Partial<ArchiveOptions>): boolean => encoding !== undefined;

/** A row of the table: the file of a code, or why it has none. */
export const tableRow = (
  { settings }: Deps,
  { name, ...code }: Pick<NamedCode, "name" | "hash"> & Pick<QrRow, "activeDomain">,
  result: TableResult,
): string =>
  csvRow([
    name,
    scanUrlOf(code, settings.scanOrigin),
    "file" in result ? result.file : null,
    "error" in result ? result.error : null,
    ...(result.last === undefined ? [] : [result.last]),
  ]);

/** The table of the codes of an archive. @param rows by tableRow */
export function tableOf(
  rows: string,
  last: LastColumn | undefined,
  encoding: ArchiveOptions["encoding"] = "utf-8",
): Uint8Array {
  // Not by csvRow: a data merge would not know the name with an apostrophe in front.
  const header = ["name", "scanUrl", "file", "error", ...(last === undefined ? [] : [last])].join(",");
  const text = `${byteOrderMark}${header}\r\n${rows}`;
  return encoding === "utf-16" ? utf16(text) : new TextEncoder().encode(text);
}
