import {
  arrayOf,
  type BackupKey,
  type Columns,
  checkWorkspaceId,
  columnsIn,
  columnsSql,
  decoded,
  requireColumns,
  type StoredRows,
  type TablePage,
} from "../../protocol/backup.ts";
import { type CopiedTable, copiedTables } from "./tables.ts";

/** The characters of rows that end a page. */
const pageCharacters = 1_000_000;

/** More bytes than any workspace has, so that nothing is refused while its rows are stored. */
const noLimit = Number.MAX_SAFE_INTEGER;

async function columnsOf(db: D1Database, table: string): Promise<Columns> {
  const { results } = await db
    .prepare(columnsSql)
    .bind(table)
    .all<{ name: string; type: string; pk: number }>();
  const { counted = [] } = copiedTables.get(table) ?? {};
  return columnsIn(results.filter(({ name }) => !counted.includes(name)));
}

const quoted = (name: string | undefined): string => `"${name}"`;

/**
 * Reads the rows of a table after a key. Rows of the workspace of checks are left out.
 */
export async function readPage(
  db: D1Database,
  table: string,
  { rows }: CopiedTable,
  after: BackupKey | null,
): Promise<TablePage> {
  const { names, key, blobs } = await columnsOf(db, table);
  const keyNames = key.map((i) => quoted(names[i])).join(", ");
  const values = names
    .map((name, i) => (blobs.includes(i) ? `hex(${quoted(name)})` : quoted(name)))
    .join(", ");
  const owner = table === "workspaces" ? "id" : names.includes("workspace_id") ? "workspace_id" : null;
  const conditions = [
    ...(after === null ? [] : [`(${keyNames}) > (${key.map(() => "?").join(", ")})`]),
    ...(owner === null ? [] : [`${owner} <> '${checkWorkspaceId}'`]),
  ];
  const found = await db
    .prepare(
      `SELECT ${values} FROM ${table} ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}
       ORDER BY ${keyNames} LIMIT ${rows}`,
    )
    .bind(...(after ?? []))
    .raw<(string | number | null)[]>();
  let [lines, count] = ["", 0];
  for (const row of found) {
    lines += `${JSON.stringify(row)}\n`;
    count += 1;
    if (lines.length >= pageCharacters) break;
  }
  const last = found[count - 1];
  const isLast = count === found.length && found.length < rows;
  const next = isLast || last === undefined ? null : key.map((i) => last[i] ?? null);
  return { table, columns: names, key, blobs, lines, count, next };
}

/** Returns whether the catalogue has data, besides that of checks. */
export async function isInUse(db: D1Database): Promise<boolean> {
  const row = await db
    .prepare("SELECT 1 FROM workspaces WHERE id <> ?1 UNION ALL SELECT 1 FROM users LIMIT 1")
    .bind(checkWorkspaceId)
    .first();
  return row !== null;
}

/**
 * Stores rows, in place of those that have their keys. Workspaces have no limit of bytes until `finishWorkspaces`, so that no
 * trigger refuses their rows.
 */
export async function storeRows(
  db: D1Database,
  { table, columns, key, blobs, lines }: StoredRows,
): Promise<void> {
  if (lines === "") return;
  const limit = table === "workspaces" ? columns.indexOf("max_stored_bytes") : -1;
  const values = columns.map((_, i) => (i === limit ? String(noLimit) : decoded({ blobs }, i)));
  await upsert(db, { table, columns, key, lines }, values);
}

/**
 * Stores workspaces as they were, once all that they own is stored: their versions, days and limits. Triggers have counted
 * deleted codes as live ones, and given them tags.
 */
export async function finishWorkspaces(
  db: D1Database,
  { table, columns, key, lines }: StoredRows,
): Promise<void> {
  if (lines === "") return;
  await upsert(
    db,
    { table, columns, key, lines },
    columns.map((_, i) => `value->>${i}`),
  );
  const ids = lines
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as unknown[])[columns.indexOf("id")]);
  const inIds = "IN (SELECT value FROM json_each(?1))";
  await db.batch([
    db
      .prepare(
        `UPDATE workspaces SET live_codes =
           (SELECT count(*) FROM qr_codes WHERE workspace_id = workspaces.id AND deleted_at IS NULL) WHERE id ${inIds}`,
      )
      .bind(JSON.stringify(ids)),
    db
      .prepare(
        `DELETE FROM qr_tags WHERE qr_id IN (SELECT id FROM qr_codes
           WHERE workspace_id ${inIds} AND deleted_at IS NOT NULL AND erased_at IS NULL)`,
      )
      .bind(JSON.stringify(ids)),
  ]);
}

async function upsert(
  db: D1Database,
  { table, columns, key, lines }: Omit<StoredRows, "blobs">,
  values: readonly string[],
): Promise<void> {
  requireColumns(await columnsOf(db, table), { table, columns });
  const keyNames = key.map((i) => quoted(columns[i])).join(", ");
  const others = columns.filter((_, i) => !key.includes(i));
  const set = others.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(", ");
  await db
    .prepare(
      `INSERT INTO ${table} (${columns.map(quoted).join(", ")})
       SELECT ${values.join(", ")} FROM json_each(?) WHERE true
       ON CONFLICT (${keyNames}) DO ${set === "" ? "NOTHING" : `UPDATE SET ${set}`}`,
    )
    .bind(arrayOf(lines))
    .run();
}
