import {
  arrayOf,
  type BackupKey,
  type Columns,
  columnsIn,
  columnsSql,
  decoded,
  requireColumns,
  type StoredRows,
  type TablePage,
} from "../../../protocol/backup.ts";
import { leftOutColumns } from "./tables.ts";

/** The most rows and characters of one step. A ledger answers nothing else while it reads them. */
export const stepSize = { rows: 1500, characters: 300_000 } as const;

/** Reads a table's columns that are copied. */
export function columnsOf(sql: SqlStorage, table: string): Columns {
  const columns = sql.exec<{ name: string; type: string; pk: number }>(columnsSql, table).toArray();
  return columnsIn(columns.filter(({ name }) => leftOutColumns[table]?.includes(name) !== true));
}

/** Returns SQL for the values of columns as pages have them, each after a prefix such as `NEW.`. */
export const encodedColumns = (
  { names, blobs }: Columns,
  positions: readonly number[],
  prefix = "",
): string =>
  positions
    .map((i) => {
      const column = `${prefix}${names[i]}`;
      return blobs.includes(i) ? `iif(${column} IS NULL, NULL, hex(${column}))` : column;
    })
    .join(", ");

/** Rows that one statement reads. All of its rows are read, since an open cursor would lock the table. */
const statementRows = 1000;

/** The same for tables whose rows can be large. */
const largeRows: Readonly<Record<string, number>> = {
  rollups: 200,
  history: 200,
  attempts: 200,
  batch_events: 50,
  deliveries: 20,
  submissions: 20,
};

/** Reads the rows of a table after a key. @param limit the most rows and characters, of which the last statement may exceed */
export function readPage(
  sql: SqlStorage,
  table: string,
  after: BackupKey | null,
  limit: { readonly rows: number; readonly characters: number },
): TablePage {
  const columns = columnsOf(sql, table);
  const { names, key, blobs } = columns;
  const atOnce = largeRows[table] ?? statementRows;
  const keyNames = key.map((i) => names[i]).join(", ");
  const isAfter = `WHERE (${keyNames}) > (${key.map((i) => (blobs.includes(i) ? "unhex(?)" : "?")).join(", ")})`;
  const lines: string[] = [];
  let count = 0;
  let [next, characters]: [BackupKey | null, number] = [after, 0];
  do {
    const cursor = sql.exec(
      `SELECT ${encodedColumns(columns, [...names.keys()])} FROM ${table} ${next === null ? "" : isAfter}
       ORDER BY ${keyNames} LIMIT ${atOnce}`,
      ...(next ?? []),
    );
    const rows = [...cursor.raw()];
    const last = rows.at(-1);
    for (const row of rows) {
      const line = `${JSON.stringify(row)}\n`;
      characters += line.length;
      lines.push(line);
    }
    count += rows.length;
    next =
      last === undefined || rows.length < atOnce ? null : key.map((i) => last[i] as string | number | null);
  } while (next !== null && count < limit.rows && characters < limit.characters);
  return { table, columns: names, key, blobs, lines: lines.join(""), count, next };
}

/** Reads the rows of some keys of a table. */
export function readRows(sql: SqlStorage, table: string, keys: readonly BackupKey[]): TablePage {
  const columns = columnsOf(sql, table);
  const { names, key, blobs } = columns;
  const isKey = key.map((i, at) => `t.${names[i]} = ${decoded(columns, i, at)}`).join(" AND ");
  const found = sql.exec(
    `SELECT ${encodedColumns(columns, [...names.keys()], "t.")} FROM json_each(?) CROSS JOIN ${table} t ON ${isKey}`,
    JSON.stringify(keys),
  );
  const rows = [...found.raw()];
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return { table, columns: names, key, blobs, lines, count: rows.length, next: null };
}

/** Stores rows, in place of those that have their keys. @throws if the table lacks a column */
export function storeRows(sql: SqlStorage, rows: StoredRows): void {
  if (rows.lines === "") return;
  requireColumns(columnsOf(sql, rows.table), rows);
  sql.exec(
    `INSERT OR REPLACE INTO ${rows.table} (${rows.columns.join(", ")})
     SELECT ${rows.columns.map((_, i) => decoded(rows, i)).join(", ")} FROM json_each(?)`,
    arrayOf(rows.lines),
  );
}

/** Removes the rows of keys. @param rows the lines are keys */
export function removeRows(sql: SqlStorage, rows: StoredRows): void {
  if (rows.lines === "") return;
  const names = rows.key.map((i) => rows.columns[i]).join(", ");
  const values = rows.key.map((i, at) => decoded(rows, i, at)).join(", ");
  sql.exec(
    `DELETE FROM ${rows.table} WHERE (${names}) IN (SELECT ${values} FROM json_each(?))`,
    arrayOf(rows.lines),
  );
}
