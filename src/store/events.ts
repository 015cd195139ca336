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

/**
 * Events of the workspace that its ledger may not have stored yet, oldest first.
 * @param limit events at most, and characters of their data, of which the last event may exceed the limit
 */
export async function readOutbox(
  db: D1Database,
  workspaceId: string,
  limit: { readonly events: number; readonly characters: number },
): Promise<{ events: ServiceEvent[]; more: boolean }> {
  const { results } = await db
    .prepare(
      `SELECT id, kind, created_at AS at, data, total FROM
         (SELECT *, sum(length(data)) OVER (ORDER BY id) AS total FROM
           (SELECT id, kind, created_at, data FROM outbox WHERE workspace_id = ?1 ORDER BY id LIMIT ?2))
       WHERE total - length(data) < ?3 ORDER BY id`,
    )
    .bind(workspaceId, limit.events, limit.characters)
    .all<{ id: string; kind: string; at: number; data: string; total: number }>();
  // The type of `data` follows from `kind`.
  const events = results.map(
    ({ id, kind, at, data }) => ({ id, kind, at, data: JSON.parse(data) }) as ServiceEvent,
  );
  const isFull = events.length === limit.events || (results.at(-1)?.total ?? 0) >= limit.characters;
  return { events, more: isFull };
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
