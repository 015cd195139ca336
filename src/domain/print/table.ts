import { byteOrderMark, csvRow } from "../../lib/text/csv.ts";
import type { NamedCode } from "../../store/bulk/selection.ts";
import { type QrRow, scanUrlOf } from "../../store/codes/columns.ts";
import type { Deps } from "../deps.ts";

/** The name of the table in an archive. */
export const tableName = "codes.csv";

/** The result of a code in an archive. Labels have notes, which are empty for most. */
export type TableResult = ({ readonly file: string } | { readonly error: string }) & {
  readonly note?: string;
};

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
    ...(result.note === undefined ? [] : [result.note]),
  ]);

/** The table of the codes of an archive. @param rows by tableRow */
export function tableOf(rows: string, kind: "images" | "labels"): Uint8Array {
  const header = csvRow(["name", "scanUrl", "file", "error", ...(kind === "labels" ? ["note"] : [])]);
  return new TextEncoder().encode(`${byteOrderMark}${header}${rows}`);
}
