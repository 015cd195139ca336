import { asc, eq, lt, sql } from "drizzle-orm";
import type { QrEvent, ServiceEvent } from "../protocol/events.ts";
import { type Catalogue, catalogue, isAmong } from "./catalogue.ts";
import { outbox } from "./schema.ts";

export type OutboxEvent = QrEvent & { readonly id: string; readonly at: number };

/**
 * A statement that writes an event to the outbox, for the batch of the change it tells of. It is written only if
 * its code exists with the version the change found or made: so a change that lost a race, or met the plan's cap,
 * leaves no event behind. Where no webhook was ever registered, nobody would hear of it, and it is not written.
 * @param version of the code when this statement runs
 */
export function writeEvent(db: Catalogue, workspaceId: string, version: number, event: OutboxEvent) {
  return db.insert(outbox).select(sql`
    SELECT ${event.id}, w.id, ${event.kind}, ${JSON.stringify(event.data)}, ${event.at}
    FROM workspaces w CROSS JOIN qr_codes c ON c.workspace_id = w.id
    WHERE w.id = ${workspaceId} AND w.listens AND c.id = ${event.data.id} AND c.version = ${version}
      AND c.deleted_at IS NULL`);
}

/** Events of a workspace that its ledger may not have taken yet, oldest first. */
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
  return rows.map(({ id, kind, createdAt, data }) => ({ id, kind, at: createdAt, data }));
}

/** Forgets events that the ledger has taken. */
export async function clearOutbox(db: D1Database, ids: readonly string[]): Promise<void> {
  await catalogue(db).delete(outbox).where(isAmong(outbox.id, ids));
}

/** Workspaces of the oldest events, as many as `limit`, that are older than the id `before`. */
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
