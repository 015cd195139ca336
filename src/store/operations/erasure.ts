import type { BinKind } from "../../contract/resources/history/bin.ts";
import { newId } from "../../lib/text/ids.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { noContent } from "../../protocol/routes.ts";
import { isChangedBy } from "../catalogue.ts";
import { erasedValues } from "../codes/columns.ts";
import { deletableKinds, deletableTables, forgetFolders } from "../deleted.ts";
import { eraseHistory, historyStatement } from "../history.ts";

/**
 * Deleted codes and pages become tombstones once they can't be restored: rows with only ids, hash and times. Folders,
 * templates and domains, to which no scan or submission belongs, leave none.
 */

/** Rows that are erased once they can't be restored. */
interface Erasable {
  readonly table: string;
  readonly kind: BinKind;
  /** SQL that sets a tombstone's values; without it, the row is deleted. */
  readonly tombstone?: string;
}

export const erasableRows: readonly Erasable[] = [
  { table: "qr_codes", kind: "code", tombstone: `${erasedValues}, version = version + 1` },
  {
    table: "pages",
    kind: "page",
    tombstone: `content = '${JSON.stringify(noContent)}', title_folded = '', suspended = NULL`,
  },
  ...deletableTables.map((table) => ({ table, kind: deletableKinds[table] })),
];

/** SQL for rows that are deleted and not erased. */
const isErasable = ({ tombstone }: Erasable): string =>
  tombstone === undefined ? "deleted_at IS NOT NULL" : "deleted_at IS NOT NULL AND erased_at IS NULL";

/** Returns the SQL of a query for the time at which the oldest of these rows was deleted. */
export const oldestErasable = (rows: Erasable): string =>
  `SELECT deleted_at FROM ${rows.table} WHERE ${isErasable(rows)} ORDER BY deleted_at LIMIT 1`;

/**
 * Erases rows deleted at `before` or earlier, oldest first, in all workspaces, with the values in their history, for the
 * sweep. Both times are epoch milliseconds.
 */
export async function eraseRows(
  db: D1Database,
  rows: Erasable,
  before: number,
  now: number,
  limit: number,
): Promise<void> {
  const { table, kind, tombstone } = rows;
  const oldest = (condition = "true") => `SELECT id FROM ${table} t
    WHERE deleted_at <= ?1 AND ${isErasable(rows)} AND ${condition} ORDER BY deleted_at LIMIT ?3`;
  const isFolder = kind === "folder";
  const forget = db.prepare(forgetFolders(oldest(), "?2")).bind(before, forgottenCodes, limit);
  // A folder for which more codes wait is deleted by a later sweep.
  const ids = oldest(isFolder ? noCodeWaits : "true");
  const erase =
    tombstone === undefined ? `DELETE FROM ${table}` : `UPDATE ${table} SET ${tombstone}, erased_at = ?2`;
  await db.batch([
    ...(isFolder ? [forget] : []),
    db.prepare(eraseHistory(kind, table, ids, event)).bind(before, now, limit, newId(now)),
    db.prepare(`${erase} WHERE id IN (${ids})`).bind(before, now, limit),
  ]);
}

/** How many codes one sweep makes forget their deleted folders. */
const forgottenCodes = 5000;

const noCodeWaits = `NOT EXISTS (SELECT 1 FROM qr_codes c
  WHERE c.workspace_id = t.workspace_id AND c.deleted_folder_id = t.id)`;

/** The parameters of the statements that erase history. */
const event = { id: "?4", at: "?2" };

/** Erases the values of one deleted code. @returns false if it isn't deleted, erased already, or suspended with its aliases */
export function eraseCode(
  db: D1Database,
  workspaceId: string,
  id: string,
  now: number,
  entry: HistoryEntry,
): Promise<boolean> {
  const update = db
    .prepare(
      `UPDATE qr_codes SET ${erasedValues}, erased_at = ?2, version = version + 1
       WHERE id = ?1 AND workspace_id = ?3 AND deleted_at IS NOT NULL AND erased_at IS NULL
         AND (suspended IS NULL OR alias_addresses IS NULL) RETURNING id`,
    )
    .bind(id, now, workspaceId);
  const erased = "SELECT id FROM qr_codes WHERE id = ?1 AND workspace_id = ?3 AND erased_at = ?2";
  const erasure = db
    .prepare(eraseHistory("code", "qr_codes", erased, { id: "?4", at: "?2" }))
    .bind(id, now, workspaceId, newId(now));
  return isChangedBy(db, update, historyStatement(db, workspaceId, entry), erasure);
}
