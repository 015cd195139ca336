import { newId } from "../../../lib/text/ids.ts";
import { utf8Length } from "../../../lib/text/utf8.ts";
import type { ServiceEvent } from "../../../protocol/events.ts";
import { webhookRules } from "../../../protocol/webhook-rules.ts";
import { LedgerPart } from "../part.ts";
import { isoTime } from "../times.ts";
import type { LedgerDeliveries } from "./deliveries.ts";
import type { LedgerWebhooks, WebhookRow } from "./webhooks.ts";

/** An event of a batch. `data` is JSON. */
export interface BatchEntry {
  readonly id: string;
  readonly event: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly data: string;
}

/** The most bytes of JSON that surround an event's data, and a batch's events. */
const envelopeBytes = 160;
/** How many bytes of entries a batch can hold. */
const capacity = webhookRules.batch.maxBytes - 2 * envelopeBytes;
const { maxEvents } = webhookRules.batch;

const eventBytes = (data: string) => utf8Length(data) + envelopeBytes;

/**
 * The open batches of webhooks in mode batched_5m; each webhook has at most one. The event that fills a batch closes
 * it, so that memory never holds more than one batch.
 */
export class LedgerBatches extends LedgerPart<{
  sql: SqlStorage;
  webhooks: LedgerWebhooks;
  deliveries: LedgerDeliveries;
}> {
  /**
   * Adds events to the webhook's open batch, starting new ones as each fills up. Ignores events that were added before.
   * @param now epoch milliseconds
   * @returns whether a batch was closed
   */
  add(row: WebhookRow, events: readonly ServiceEvent[], now: number): boolean {
    let open = { events: row.open_events, bytes: row.open_bytes };
    let closesAt = row.batch_closes_at;
    let gathered: ServiceEvent[] = [];
    let closed = false;
    const flush = () => {
      this.#insert(row.ref, gathered);
      gathered = [];
    };
    const freeze = () => {
      flush();
      this.close(row, now);
      open = { events: 0, bytes: 0 };
      closesAt = null;
      closed = true;
    };
    for (const event of this.#withoutKnown(row.ref, events)) {
      const bytes = eventBytes(JSON.stringify(event.data));
      if (open.events > 0 && open.bytes + bytes > capacity) freeze();
      gathered.push(event);
      open = { events: open.events + 1, bytes: open.bytes + bytes };
      if (open.events === maxEvents || open.bytes >= capacity) freeze();
    }
    flush();
    if (open.events > 0) closesAt ??= now + webhookRules.batch.window;
    this.parts.webhooks.setOpenBatch(row.ref, closesAt, open);
    return closed;
  }

  /** Closes a webhook's open batch, if there is one. The bytes of its delivery never change afterwards. */
  close(row: WebhookRow, now: number): void {
    const entries = this.parts.sql
      .exec<{ id: string; event: string; at: number; data: string }>(
        `SELECT event_id AS id, event, at, data FROM batch_events WHERE webhook = ? AND delivery IS NULL ORDER BY at, event_id`,
        row.ref,
      )
      .toArray();
    if (entries.length > 0) {
      const id = newId(now);
      const body = batchBody(id, now, entries);
      this.parts.deliveries.insert(row, { id, event: "batch", body, eventCount: entries.length }, now);
      this.parts.sql.exec(
        "UPDATE batch_events SET delivery = ?, data = NULL WHERE webhook = ? AND delivery IS NULL",
        id,
        row.ref,
      );
    }
    this.parts.webhooks.setOpenBatch(row.ref, null, { events: 0, bytes: 0 });
  }

  /** Returns the delivery of the batch that contains an event: null for the open batch, undefined if no batch does. */
  find(webhook: number, eventId: string): string | null | undefined {
    return this.parts.sql
      .exec<{ delivery: string | null }>(
        "SELECT delivery FROM batch_events WHERE webhook = ? AND event_id = ?",
        webhook,
        eventId,
      )
      .toArray()[0]?.delivery;
  }

  /** Removes an event from the webhook's open batch. */
  remove(row: WebhookRow, eventId: string): void {
    const { data } = this.parts.sql
      .exec<{ data: string }>(
        "DELETE FROM batch_events WHERE webhook = ? AND event_id = ? RETURNING data",
        row.ref,
        eventId,
      )
      .one();
    this.parts.webhooks.setOpenBatch(row.ref, row.batch_closes_at, {
      events: row.open_events - 1,
      bytes: row.open_bytes - eventBytes(data),
    });
  }

  /** Returns the events that none of the webhook's batches contains, without duplicates. */
  #withoutKnown(webhook: number, events: readonly ServiceEvent[]): ServiceEvent[] {
    const fresh = new Map(events.map((event) => [event.id, event]));
    const known = this.parts.sql
      .exec<{ id: string }>(
        `SELECT event_id AS id FROM batch_events
         WHERE webhook = ? AND event_id IN (SELECT value FROM json_each(?))`,
        webhook,
        JSON.stringify([...fresh.keys()]),
      )
      .toArray();
    for (const { id } of known) fresh.delete(id);
    return [...fresh.values()];
  }

  #insert(webhook: number, events: readonly ServiceEvent[]): void {
    if (events.length === 0) return;
    this.parts.sql.exec(
      `INSERT INTO batch_events (webhook, event_id, event, at, data)
       SELECT ?, value->>0, value->>1, value->>2, value->>3 FROM json_each(?)`,
      webhook,
      JSON.stringify(events.map(({ id, kind, at, data }) => [id, kind, at, JSON.stringify(data)])),
    );
  }
}

/** Returns the body of a batch's delivery. @param now epoch milliseconds */
export function batchBody(deliveryId: string, now: number, events: readonly BatchEntry[]): string {
  const entries = events.map(
    ({ id, event, at, data }) =>
      `{"id":"${id}","event":${JSON.stringify(event)},"createdAt":"${isoTime(at)}","data":${data}}`,
  );
  return `{"deliveryId":"${deliveryId}","createdAt":"${isoTime(now)}","events":[${entries.join(",")}]}`;
}
