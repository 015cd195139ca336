import { type ChangedCode, type CodeChange, changedCodeSql, readChangedCode } from "./code-changes.ts";
import { assignmentsOf, changeEventSql } from "./code-events.ts";
import { type CodeCaps, hasRoom } from "./codes.ts";

/** The code to restore, the conditions, and the event that reports it. */
export interface Restoration extends CodeChange {
  /** Only a code that was deleted after this time can be restored, epoch milliseconds. */
  readonly deletedAfter: number;
  readonly caps: CodeCaps;
}

/**
 * Restores a deleted code and adds the event to the outbox, in one transaction. A code that is not deleted, or can't be
 * restored, stays as it is.
 * @returns undefined when the workspace has no such code
 */
export async function restoreQr(
  db: D1Database,
  { id, workspaceId, at, deletedAfter, caps, eventId, scanOrigin }: Restoration,
): Promise<ChangedCode | undefined> {
  const run = (sql: string, ...more: string[]) =>
    db.prepare(sql).bind(id, workspaceId, at, deletedAfter, caps.liveCodes, caps.creationsPerDay, ...more);
  // The event comes before the update, so that both test the deleted row.
  const results = await db.batch<Record<string, unknown>>([
    run(eventSql, eventId, scanOrigin),
    run(updateSql),
    db.prepare(changedCodeSql).bind(id, workspaceId),
  ]);
  return readChangedCode(results);
}

/** SQL for an id in another table of the workspace; null for one that is gone. */
const idIn = (table: string, column: string) =>
  `(SELECT o.id FROM ${table} o WHERE o.id = c.${column} AND o.workspace_id = c.workspace_id)`;

/** The new values of the restored row, by column. */
const newValues: Readonly<Record<string, string>> = {
  version: "c.version + 1",
  folder_id: idIn("folders", "folder_id"),
  template_id: idIn("templates", "template_id"),
  updated_at: "?3",
  deleted_at: "NULL",
};

const isRestorable = `c.id = ?1 AND c.workspace_id = ?2 AND c.deleted_at > ?4 AND c.erased_at IS NULL
  AND EXISTS (SELECT 1 FROM workspaces w WHERE w.id = ?2
    AND ${hasRoom({ liveCodes: "?5", creationsPerDay: "?6", at: "?3" })})`;

const eventSql = changeEventSql({
  kind: "qr.updated",
  values: newValues,
  condition: isRestorable,
  changed: `'["deleted"]'`,
  parameters: { eventId: "?7", origin: "?8", at: "?3" },
});

const updateSql = `UPDATE qr_codes AS c SET ${assignmentsOf(newValues)} WHERE ${isRestorable} RETURNING id`;
