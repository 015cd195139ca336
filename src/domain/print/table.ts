import { byteOrderMark, csvRow } from "../../lib/text/csv.ts";
import type { NamedCode } from "../../store/bulk/selection.ts";
import { type QrRow, scanUrlOf } from "../../store/codes/columns.ts";
import type { Deps } from "../deps.ts";

/** The name of the table in an archive. */
export const tableName = "codes.csv";

/** A row of the table: the file of a code, or why it has none. */
export const tableRow = (
  { settings }: Deps,
  { name, ...code }: Pick<NamedCode, "name" | "hash"> & Pick<QrRow, "activeDomain">,
  result: { readonly file: string } | { readonly error: string },
): string =>
  csvRow([
    name,
    scanUrlOf(code, settings.scanOrigin),
    "file" in result ? result.file : null,
    "error" in result ? result.error : null,
  ]);

/** The table of the codes of an archive. @param rows by tableRow */
export const tableOf = (rows: string): Uint8Array =>
  new TextEncoder().encode(`${byteOrderMark}${csvRow(["name", "scanUrl", "file", "error"])}${rows}`);
