import type { Plan } from "../../contract/plans.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { noContent } from "../../protocol/routes.ts";
import { erasedValues } from "../codes/columns.ts";
import { deletableTables } from "../deleted.ts";
import { historyStatement } from "../history.ts";
import type { StoredDeletion } from "../schema/workspaces.ts";

/** The deletion of workspaces, and the erasure of what belongs to them. Times are epoch milliseconds. */

export type { StoredDeletion };

/** A workspace that is being deleted, with what its meters and routes need. */
export interface DeletedWorkspace {
  readonly id: string;
  readonly deletion: StoredDeletion;
  readonly plan: Plan;
  readonly requestsPerMinute: number | null;
  readonly planVersion: number;
}

const columns =
  "id, deletion, plan, requests_per_minute AS requestsPerMinute, plan_version AS planVersion" as const;

type Row = Omit<DeletedWorkspace, "deletion"> & { readonly deletion: string };

const read = (row: Row): DeletedWorkspace => ({
  ...row,
  deletion: JSON.parse(row.deletion) as StoredDeletion,
});

/**
 * Begins the deletion of a workspace, unless it has begun.
 * @returns the workspace with its deletion; undefined for an unknown one
 */
export async function beginDeletion(
  db: D1Database,
  workspaceId: string,
  deletion: StoredDeletion,
  entry: HistoryEntry,
): Promise<DeletedWorkspace | undefined> {
  const { requestedAt: now } = deletion;
  const [, , selected] = await db.batch<Row>([
    db
      .prepare(
        `UPDATE workspaces SET deletion = ?2, deletion_due_at = ?3, plan_version = plan_version + 1,
           suspension_version = suspension_version + 1, suspension_changed_at = ?3
         WHERE id = ?1 AND deletion IS NULL`,
      )
      .bind(workspaceId, JSON.stringify(deletion), now),
    historyStatement(db, workspaceId, entry),
    db.prepare(`SELECT ${columns} FROM workspaces WHERE id = ?`).bind(workspaceId),
  ]);
  const [row] = selected?.results ?? [];
  return row && read(row);
}

/**
 * Cancels the deletion of a workspace whose erasure has not begun.
 * @returns the workspace's allowance; undefined if there is nothing to cancel
 */
export async function cancelDeletion(
  db: D1Database,
  workspaceId: string,
  now: number,
  entry: HistoryEntry,
): Promise<Omit<DeletedWorkspace, "deletion"> | undefined> {
  const [cancelled] = await db.batch<Omit<DeletedWorkspace, "deletion">>([
    db
      .prepare(
        `UPDATE workspaces SET deletion = NULL, deletion_due_at = NULL, plan_version = plan_version + 1,
           suspension_version = suspension_version + 1, suspension_changed_at = ?2
         WHERE id = ?1 AND deletion->>'step' IS NULL AND deletion->>'eraseAt' > ?2
         RETURNING id, plan, requests_per_minute AS requestsPerMinute, plan_version AS planVersion`,
      )
      .bind(workspaceId, now),
    historyStatement(db, workspaceId, entry),
  ]);
  return cancelled?.results[0];
}

/** Returns whether a workspace is being deleted. */
export async function isBeingDeleted(db: D1Database, workspaceId: string): Promise<boolean> {
  const found = await db
    .prepare("SELECT deletion IS NOT NULL AS is_deleted FROM workspaces WHERE id = ?")
    .bind(workspaceId)
    .first<number>("is_deleted");
  return found === 1;
}

/** Records that everything has ended that ends at once. The sweep continues when the erasure is due. */
export async function markClosed(db: D1Database, workspaceId: string): Promise<void> {
  await db
    .prepare(
      `UPDATE workspaces SET deletion = json_set(deletion, '$.closed', json('true')),
         deletion_due_at = deletion->>'eraseAt'
       WHERE id = ? AND deletion->>'step' IS NULL`,
    )
    .bind(workspaceId)
    .run();
}

/**
 * Takes workspaces whose deletion is due and schedules their next try, so that one failure doesn't block the rest.
 * @param next epoch milliseconds
 */
export async function takeDueDeletions(
  db: D1Database,
  now: number,
  next: number,
  limit: number,
): Promise<DeletedWorkspace[]> {
  const { results } = await db
    .prepare(
      `UPDATE workspaces SET deletion_due_at = ?2 WHERE id IN
         (SELECT id FROM workspaces WHERE deletion_due_at <= ?1 AND deletion_due_at IS NOT NULL
          ORDER BY deletion_due_at LIMIT ?3)
       RETURNING ${columns}`,
    )
    .bind(now, next, limit)
    .all<Row>();
  return results.map(read);
}

/** Records which part is erased next. With the first one, codes that went on stop. */
export async function setErasureStep(
  db: D1Database,
  workspaceId: string,
  step: NonNullable<StoredDeletion["step"]>,
  now: number,
): Promise<void> {
  await db.batch([
    db
      .prepare(
        `UPDATE workspaces SET suspension_version = suspension_version + 1, suspension_changed_at = ?2
         WHERE id = ?1 AND deletion->>'codes' = 'freeze'`,
      )
      .bind(workspaceId, now),
    db
      .prepare(
        "UPDATE workspaces SET deletion = json_set(deletion, '$.step', ?2, '$.codes', 'stop') WHERE id = ?1",
      )
      .bind(workspaceId, step),
  ]);
}

/** Erases the values of some of a workspace's codes. @returns how many: fewer than `limit` once there are no others */
export async function eraseWorkspaceCodes(
  db: D1Database,
  workspaceId: string,
  now: number,
  limit: number,
): Promise<number> {
  const erase = (which: string) =>
    db
      .prepare(
        `UPDATE qr_codes SET ${erasedValues}, deleted_at = coalesce(deleted_at, ?2), erased_at = ?2,
           version = version + 1
         WHERE id IN (SELECT id FROM qr_codes WHERE workspace_id = ?1 AND ${which} LIMIT ?3)`,
      )
      .bind(workspaceId, now, limit)
      .run();
  const { meta } = await erase("deleted_at IS NULL");
  if (meta.changes > 0) return limit;
  return (await erase("deleted_at IS NOT NULL AND erased_at IS NULL")).meta.changes;
}

/** Erases the values of some of a workspace's hosted pages. @returns as `eraseWorkspaceCodes` */
export async function eraseWorkspacePages(
  db: D1Database,
  workspaceId: string,
  now: number,
  limit: number,
): Promise<number> {
  const { meta } = await db
    .prepare(
      `UPDATE pages SET content = ?4, title_folded = '', suspended = NULL, deleted_at = coalesce(deleted_at, ?2),
         erased_at = ?2, version = version + 1
       WHERE id IN (SELECT id FROM pages WHERE workspace_id = ?1 AND erased_at IS NULL LIMIT ?3)`,
    )
    .bind(workspaceId, now, limit, JSON.stringify(noContent))
    .run();
  return meta.changes;
}

/** Deletes rows by the first columns of their key. */
const deletionsById = (table: string) =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE workspace_id = ?1 LIMIT ?2)`;

/** Statements that delete rows of each table, in an order in which nothing refers to a deleted row. */
const rowDeletions = [
  `DELETE FROM bulk_items WHERE (job_id, row_index) IN (SELECT i.job_id, i.row_index FROM bulk_jobs j
     CROSS JOIN bulk_items i ON i.job_id = j.id WHERE j.workspace_id = ?1 LIMIT ?2)`,
  ...["bulk_jobs", "print_jobs", ...deletableTables, "shared_reports", "proposals"].map(deletionsById),
  `DELETE FROM idempotency_records WHERE (workspace_id, key_id, key) IN
     (SELECT workspace_id, key_id, key FROM idempotency_records WHERE workspace_id = ?1 LIMIT ?2)`,
  ...["logo_files", "logos", "page_images", "outbox"].map(
    (table) =>
      `DELETE FROM ${table} WHERE workspace_id = ?1 AND id IN (SELECT id FROM ${table} WHERE workspace_id = ?1 LIMIT ?2)`,
  ),
  ...["waiting_items", "alert_addresses"].map(
    (table) =>
      `DELETE FROM ${table} WHERE workspace_id IN (SELECT workspace_id FROM ${table} WHERE workspace_id = ?1 LIMIT ?2)`,
  ),
  deletionsById("api_keys"),
];

/** Deletes some rows of a workspace. @returns how many: fewer than `limit` once there are no others */
export async function deleteWorkspaceRows(
  db: D1Database,
  workspaceId: string,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const sql of rowDeletions) {
    const { meta } = await db
      .prepare(sql)
      .bind(workspaceId, limit - deleted)
      .run();
    deleted += meta.changes;
    if (deleted >= limit) break;
  }
  return deleted;
}

/** Clears a workspace whose data is erased. The row stays, because tombstones of codes refer to it. */
export async function finishDeletion(db: D1Database, workspaceId: string): Promise<void> {
  await db.batch([
    db.prepare("DELETE FROM invitations WHERE workspace_id = ?").bind(workspaceId),
    db.prepare("DELETE FROM members WHERE workspace_id = ?").bind(workspaceId),
    db.prepare("DELETE FROM forwarding_leases WHERE workspace_id = ?").bind(workspaceId),
    db
      .prepare(
        `UPDATE workspaces SET name = 'Deleted workspace', name_folded = NULL, brand_colors = NULL, logo_id = NULL,
           deletion_due_at = NULL, deletion = json_remove(deletion, '$.requestedBy')
         WHERE id = ?`,
      )
      .bind(workspaceId),
  ]);
}
