import type { HistoryKind } from "../../contract/resources/history.ts";
import { newId } from "../../lib/text/ids.ts";
import { noContent } from "../../protocol/routes.ts";
import { erasedValues } from "../codes/columns.ts";
import type { DeletableTable } from "../deleted.ts";

/**
 * Deleted codes and pages become tombstones once they can't be restored: rows with only ids, hash and times. Folders and
 * templates, to which no scan or submission belongs, leave none.
 */

/**
 * Erases the values of codes deleted at `before` or earlier, oldest first, in all workspaces, for the sweep. Both times
 * are epoch milliseconds.
 */
export async function eraseCodes(db: D1Database, before: number, now: number, limit: number): Promise<void> {
  await db.batch([
    eraseHistory(db, "code", "qr_codes").bind(before, now, limit, newId(now)),
    db
      .prepare(
        `UPDATE qr_codes SET ${erasedValues}, erased_at = ?2, version = version + 1
         WHERE id IN (${oldestDeleted("qr_codes")})`,
      )
      .bind(before, now, limit),
  ]);
}

/** The same for pages. */
export async function erasePages(db: D1Database, before: number, now: number, limit: number): Promise<void> {
  await db
    .prepare(
      `UPDATE pages SET content = ?4, title_folded = '', suspended = NULL, erased_at = ?2 WHERE id IN (${oldestDeleted("pages")})`,
    )
    .bind(before, now, limit, JSON.stringify(noContent))
    .run();
}

/** Deletes the rows of folders or templates deleted at `before` or earlier, oldest first, in all workspaces. */
export async function eraseRows(
  db: D1Database,
  table: DeletableTable,
  before: number,
  limit: number,
): Promise<void> {
  await db
    .prepare(
      `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE deleted_at <= ?1 AND deleted_at IS NOT NULL
         ORDER BY deleted_at LIMIT ?2)`,
    )
    .bind(before, limit)
    .run();
}

/** Returns the statement that erases the values from the history of these objects, through the outbox. */
const eraseHistory = (db: D1Database, kind: HistoryKind, table: string): D1PreparedStatement =>
  db.prepare(
    `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
     SELECT substr(?4, 1, 24) || lower(hex(randomblob(6))), workspace_id, '', '{}',
       json_object('erased', json_object('kind', '${kind}', 'id', id)), ?2
     FROM ${table} WHERE id IN (${oldestDeleted(table)})`,
  );

const oldestDeleted = (table: string) => `
  SELECT id FROM ${table} WHERE deleted_at <= ?1 AND deleted_at IS NOT NULL AND erased_at IS NULL
  ORDER BY deleted_at LIMIT ?3`;
