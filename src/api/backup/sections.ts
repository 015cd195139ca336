import type { LedgerChanges, LedgerPlace, StoredRows, TablePage } from "../../protocol/backup.ts";

/** Writes and reads what backups are made of: sections of lines, each with a head, and a foot for each answer. */

const line = (value: object): string => `${JSON.stringify(value)}\n`;

const headOf = (
  { table, columns, key, blobs }: StoredRows,
  kind: "rows" | "changed" | "removed",
  count: number,
): string => line({ kind, table, columns, key, blobs, count });

const section = (page: TablePage): string => headOf(page, "rows", page.count) + page.lines;

/** Writes a page of a table of the catalogue. */
export const writePage = (page: TablePage): string => section(page) + line({ kind: "foot", next: page.next });

/** Writes pages of a ledger. */
export const writePages = (pages: readonly TablePage[], place: LedgerPlace | null): string =>
  pages.map(section).join("") + line({ kind: "foot", place });

/** Writes the changes of a ledger. */
export function writeChanges({ tables, seq, complete, values }: LedgerChanges): string {
  const sections = tables.map(({ removed, ...page }) => {
    const rows = page.count === 0 ? "" : headOf(page, "changed", page.count) + page.lines;
    if (removed.length === 0) return rows;
    return headOf(page, "removed", removed.length) + removed.map((key) => line(key)).join("") + rows;
  });
  const outside = complete ? line({ kind: "values", values }) : "";
  return sections.join("") + outside + line({ kind: "foot", seq, complete });
}
