import { newId } from "../../lib/text/ids.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { noContent } from "../../protocol/routes.ts";
import { isChangedBy } from "../catalogue.ts";
import { erasedValues } from "../codes/columns.ts";
import { type DeletableTable, deletableKinds, forgetFolders } from "../deleted.ts";
import { eraseHistory, historyStatement } from "../history.ts";

/**
 * Deleted codes and pages become tombstones once they can't be restored: rows with only ids, hash and times. Folders and
 * templates, to which no scan or submission belongs, leave none.
 */

/**
 * Erases the values of codes deleted at `before` or earlier, oldest first, in all workspaces, for the sweep. Both times
 * are epoch milliseconds.
 */
export async function eraseCodes(db: D1Database, before: number, now: number, limit: number): Promise<void> {
  const ids = oldestDeleted("qr_codes");
  await db.batch([
    db.prepare(eraseHistory("code", "qr_codes", ids, event)).bind(before, now, limit, newId(now)),
    db
      .prepare(
        `UPDATE qr_codes SET ${erasedValues}, erased_at = ?2, version = version + 1 WHERE id IN (${ids})`,
      )
      .bind(before, now, limit),
  ]);
}

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

/** The same for pages. */
export async function erasePages(db: D1Database, before: number, now: number, limit: number): Promise<void> {
  const ids = oldestDeleted("pages");
  await db.batch([
    db.prepare(eraseHistory("page", "pages", ids, event)).bind(before, now, limit, newId(now)),
    db
      .prepare(
        `UPDATE pages SET content = ?4, title_folded = '', suspended = NULL, erased_at = ?2 WHERE id IN (${ids})`,
      )
      .bind(before, now, limit, JSON.stringify(noContent)),
  ]);
}

/**
 * Deletes the rows of folders or templates deleted at `before` or earlier, oldest first, in all workspaces, with the
 * values in their history. Both times are epoch milliseconds.
 */
export async function eraseRows(
  db: D1Database,
  table: DeletableTable,
  before: number,
  now: number,
  limit: number,
): Promise<void> {
  const oldest = (condition = "true") => `SELECT id FROM ${table} t
    WHERE deleted_at <= ?1 AND deleted_at IS NOT NULL AND ${condition} ORDER BY deleted_at LIMIT ?3`;
  const isFolder = table === "folders";
  const forget = db.prepare(forgetFolders(oldest(), "?2")).bind(before, forgottenCodes, limit);
  // A folder for which more codes wait is deleted by a later sweep.
  const ids = oldest(isFolder ? noCodeWaits : "true");
  await db.batch([
    ...(isFolder ? [forget] : []),
    db.prepare(eraseHistory(deletableKinds[table], table, ids, event)).bind(before, now, limit, newId(now)),
    db.prepare(`DELETE FROM ${table} WHERE id IN (${ids})`).bind(before, now, limit),
  ]);
}

/** How many codes one sweep makes forget their deleted folders. */
const forgottenCodes = 5000;

const noCodeWaits = `NOT EXISTS (SELECT 1 FROM qr_codes c
  WHERE c.workspace_id = t.workspace_id AND c.deleted_folder_id = t.id)`;

/** The parameters of the statements that erase history. */
const event = { id: "?4", at: "?2" };

const oldestDeleted = (table: string) => `
  SELECT id FROM ${table} WHERE deleted_at <= ?1 AND deleted_at IS NOT NULL AND erased_at IS NULL
  ORDER BY deleted_at LIMIT ?3`;
