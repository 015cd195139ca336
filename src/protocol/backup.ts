/**
 * How backups travel and are stored: pages of rows. A page is lines of JSON: a head, then each row as an array in the
 * order of the head's columns, then a foot. Values are those of SQLite, with blobs in hex.
 */

/** The version of the format. A newer one is refused. */
export const backupFormat = 1;

/** The values of a row's key, in the order of the key's columns. */
export type BackupKey = readonly (string | number | null)[];

/** A table's columns. Generated columns aren't among them. */
export interface Columns {
  readonly names: readonly string[];
  /** The positions of the primary key's columns, in its order, and of those with blobs. */
  readonly key: readonly number[];
  readonly blobs: readonly number[];
}

/** Selects the columns of a table, for `columnsIn`. */
export const columnsSql = "SELECT name, type, pk FROM pragma_table_info(?)";

/** Returns the columns that SQLite describes. */
export function columnsIn(rows: readonly { name: string; type: string; pk: number }[]): Columns {
  const key = rows
    .flatMap(({ pk }, i) => (pk > 0 ? [{ pk, i }] : []))
    .sort((one, other) => one.pk - other.pk)
    .map(({ i }) => i);
  const blobs = rows.flatMap(({ type }, i) => (type.toUpperCase() === "BLOB" ? [i] : []));
  return { names: rows.map(({ name }) => name), key, blobs };
}

/** Returns SQL for a value of a row, a JSON array `value`. @param at the value's place in the array */
export const decoded = ({ blobs }: Pick<Columns, "blobs">, position: number, at = position): string =>
  blobs.includes(position) ? `unhex(value->>${at})` : `value->>${at}`;

/** Returns the lines of a page as one JSON array. */
export const arrayOf = (lines: string): string => `[${lines.trimEnd().replaceAll("\n", ",")}]`;

/** @throws if a table lacks a column of rows */
export function requireColumns(
  { names }: Columns,
  { table, columns }: Pick<StoredRows, "table" | "columns">,
): void {
  const unknown = columns.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`${table} has no column ${unknown.join(", ")}`);
}

/** The prefixes of the keys of R2 that a backup has. */
export const filePrefixes = ["archives/", "logos/", "page-images/"] as const;
/** Those that it leaves out: files of print jobs end within a day. */
export const leftOutFilePrefixes = ["prints/"] as const;

/** The workspace that checks of an installation use. Every installation has its own, so backups have none. */
export const checkWorkspaceId = "01900000-0000-7000-8000-0000000000c0";

/** The rows of a table that follow a key. */
export interface TablePage {
  readonly table: string;
  readonly columns: readonly string[];
  /** The positions of the key's columns, in the key's order, and of the columns with blobs. */
  readonly key: readonly number[];
  readonly blobs: readonly number[];
  /** The rows in the key's order, one JSON array a line, each with a line break. */
  readonly lines: string;
  readonly count: number;
  /** The last key, if there may be more rows after it. */
  readonly next: BackupKey | null;
}

/** The present rows of keys that were changed while their ledger was being copied. */
export interface LedgerChanges {
  readonly tables: readonly (TablePage & { readonly removed: readonly BackupKey[] })[];
  /** The number of the last change. */
  readonly seq: number;
  /** Whether the ledger's copy is now as the ledger was at this moment. */
  readonly complete: boolean;
  /** Its values outside tables. Only the complete copy has them. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** How the raw scans of a ledger have been thinned out. If it is unchanged, older ones are as the last backup has them. */
export type ScansMark = string;

/** Where the copy of a ledger goes on: after a key of a table. */
export interface LedgerPlace {
  readonly table: string;
  readonly after: BackupKey | null;
}

/** The tables of a ledger whose keys begin with the time and whose rows don't change. They are copied last. */
export const scanTables: readonly string[] = ["scans", "bot_scans"];

/** A step of copying a ledger, of the backup with this id. With `holds`, its deliveries wait from then on. Pages end at the table `before`, if there is one. */
export type LedgerCopyRequest =
  | { readonly step: "begin"; readonly id: string; readonly holds: boolean }
  | ({ readonly step: "pages"; readonly id: string; readonly before: string | null } & LedgerPlace)
  | { readonly step: "changes"; readonly id: string; readonly after: number }
  | { readonly step: "end"; readonly id: string };

/** The answer to a step. A copy that was given up, because no step came for a while, has to begin again. */
export type LedgerCopyAnswer =
  | {
      readonly kind: "begun";
      readonly tables: readonly string[];
      readonly mark: ScansMark;
      readonly erased: boolean;
    }
  | { readonly kind: "pages"; readonly pages: readonly TablePage[]; readonly next: LedgerPlace | null }
  | { readonly kind: "changes"; readonly changes: LedgerChanges }
  | { readonly kind: "ended" }
  | { readonly kind: "given up" };

/** Rows to store in a table, from pages of the same columns. */
export type StoredRows = Pick<TablePage, "table" | "columns" | "key" | "blobs" | "lines">;

/** A step of restoring a ledger from the backup with this id. */
export type LedgerRestoreRequest =
  | { readonly step: "begin" | "release"; readonly id: string }
  | { readonly step: "rows" | "remove"; readonly id: string; readonly rows: StoredRows }
  | { readonly step: "complete"; readonly id: string; readonly values: Readonly<Record<string, unknown>> };

/** `refused`: the ledger has data of its own, or of another backup. `restored`: this backup is in it already. */
export type LedgerRestoreAnswer = "ready" | "refused" | "restored";

/** The methods of a ledger by which it is copied and restored. */
export interface BackupMethods {
  copyStep(request: LedgerCopyRequest, now: number): Promise<LedgerCopyAnswer>;
  restoreStep(request: LedgerRestoreRequest, now: number): Promise<LedgerRestoreAnswer>;
}
