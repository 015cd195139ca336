import { sql } from "drizzle-orm";
import type { CatalogueEvent } from "../contract/events.ts";
import type { Catalogue } from "./catalogue.ts";
import { outbox } from "./schema.ts";

export type OutboxEvent = CatalogueEvent & { readonly id: string; readonly at: number };

/**
 * A statement that writes events to the outbox, for the batch of the change they tell of. An event is written
 * only if its code exists with the version the change found or made: so a change that lost a race, or met the
 * plan's cap, leaves no event behind.
 * CROSS JOIN, here and elsewhere, fixes the order: SQLite would rather scan the table than the short JSON.
 * @param version of the code when this statement runs
 */
export function writeEvents(
  db: Catalogue,
  workspaceId: string,
  version: number,
  events: readonly OutboxEvent[],
) {
  return db.insert(outbox).select(sql`
    SELECT e.value->>'id', ${workspaceId}, e.value->>'kind', e.value->'data', e.value->>'at'
    FROM json_each(${JSON.stringify(events)}) e
    CROSS JOIN qr_codes c ON c.id = e.value->>'$.data.id'
    WHERE c.workspace_id = ${workspaceId} AND c.version = ${version} AND c.deleted_at IS NULL`);
}
