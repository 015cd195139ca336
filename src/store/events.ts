import { sql } from "drizzle-orm";
import type { CatalogueEvent } from "../contract/events.ts";
import type { Catalogue } from "./catalogue.ts";
import { outbox } from "./schema.ts";

export type OutboxEvent = CatalogueEvent & { readonly id: string; readonly at: number };

/**
 * A statement that writes an event to the outbox, for the batch of the change it tells of. It is written only if
 * its code exists with the version the change found or made: so a change that lost a race, or met the plan's cap,
 * leaves no event behind.
 * @param version of the code when this statement runs
 */
export function writeEvent(db: Catalogue, workspaceId: string, version: number, event: OutboxEvent) {
  return db.insert(outbox).select(sql`
    SELECT ${event.id}, workspace_id, ${event.kind}, ${JSON.stringify(event.data)}, ${event.at} FROM qr_codes
    WHERE id = ${event.data.id} AND workspace_id = ${workspaceId} AND version = ${version}
      AND deleted_at IS NULL`);
}
