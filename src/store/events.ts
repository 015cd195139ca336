import { and, asc, eq, lt } from "drizzle-orm";
import type { QrEvent, ServiceEvent } from "../protocol/events.ts";
import { catalogue, isAmong } from "./catalogue.ts";
import { outbox } from "./schema.ts";

/**
 * A statement that adds a code's event to the outbox, for the batch that creates the code. It adds nothing in a workspace
 * that never had a webhook, nor if the code was not created because of the plan's cap.
 */
export function insertEvent(db: D1Database, workspaceId: string, event: QrEvent): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
       SELECT ?1, w.id, ?2, ?3, ?4 FROM workspaces w CROSS JOIN qr_codes c ON c.workspace_id = w.id
       WHERE w.id = ?5 AND w.has_webhooks AND c.id = ?6
       RETURNING id`,
    )
    .bind(event.id, event.kind, JSON.stringify(event.data), event.at, workspaceId, event.data.id);
}

/** Events of the workspace that its ledger may not have stored yet, oldest first. */
export async function readOutbox(
  db: D1Database,
  workspaceId: string,
  limit: number,
): Promise<ServiceEvent[]> {
  const rows = await catalogue(db)
    .select()
    .from(outbox)
    .where(eq(outbox.workspaceId, workspaceId))
    .orderBy(asc(outbox.id))
    .limit(limit);
  // The type of `data` follows from `kind`.
  return rows.map(({ id, kind, createdAt, data }) => ({ id, kind, at: createdAt, data }) as ServiceEvent);
}

/** Removes events of the workspace that its ledger has stored. */
export async function clearOutbox(
  db: D1Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await catalogue(db)
    .delete(outbox)
    .where(and(eq(outbox.workspaceId, workspaceId), isAmong(outbox.id, ids)));
}

/** The workspaces of the oldest `limit` events whose id is less than `before`, for the sweep. */
export async function workspacesWithOutbox(db: D1Database, before: string, limit: number): Promise<string[]> {
  const oldest = catalogue(db)
    .select({ workspaceId: outbox.workspaceId })
    .from(outbox)
    .where(lt(outbox.id, before))
    .orderBy(asc(outbox.id))
    .limit(limit)
    .as("oldest");
  const rows = await catalogue(db).selectDistinct({ workspaceId: oldest.workspaceId }).from(oldest);
  return rows.map((row) => row.workspaceId);
}
