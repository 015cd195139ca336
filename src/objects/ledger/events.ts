import { chunksBySize } from "../../lib/chunks.ts";
import { newId } from "../../lib/text/ids.ts";
import type { ServiceEvent } from "../../protocol/events.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import { isoTime } from "./times.ts";
import { type LedgerWebhooks, subscriptionsOf, type WebhookRow } from "./webhooks.ts";

/** An event in a batch. `data` is JSON. */
type BatchEventRow = { event_id: string; event: string; at: number; data: string };

/**
 * Turns events into deliveries: one for each subscribed webhook, or an entry in the webhook's open batch. Deliveries of
 * a paused webhook are stored as skipped. An event that is emitted twice changes nothing. A webhook gets the events that
 * are emitted after its registration.
 */
export class LedgerEvents {
  readonly #sql: SqlStorage;
  readonly #webhooks: LedgerWebhooks;

  constructor(sql: SqlStorage, webhooks: LedgerWebhooks) {
    this.#sql = sql;
    this.#webhooks = webhooks;
  }

  /** Whether any webhook subscribes to this kind of event. */
  hasSubscribers(kind: ServiceEvent["kind"]): boolean {
    return this.#webhooks.rows().some((row) => subscriptionsOf(row).includes(kind));
  }

  /** @param now epoch milliseconds @returns webhooks with deliveries due now */
  emit(events: readonly ServiceEvent[], now: number): WebhookRow[] {
    const due: WebhookRow[] = [];
    for (const row of this.#webhooks.rows()) {
      const kinds = subscriptionsOf(row);
      // Times are not compared: an event's is that of another isolate's clock, which may lag behind.
      const own = events.filter((event) => kinds.includes(event.kind) && inScope(row, event));
      if (own.length === 0) continue;
      if (row.mode === "batched_5m") {
        this.#addToBatch(row, own, now);
        continue;
      }
      for (const event of own) this.#deliver(row, event, now);
      if (row.status === "active" && row.backoff_until <= now) due.push(row);
    }
    return due;
  }

  #deliver(row: WebhookRow, event: ServiceEvent, now: number): void {
    const id = newId(now);
    this.#insert(row, { id, event: event.kind, body: eventBody(id, event), eventId: event.id }, now);
  }

  /** Creates a delivery of one event in the webhook's mode, to be attempted once. @returns the delivery's id */
  deliverOnce(row: WebhookRow, event: ServiceEvent, now: number): string {
    const id = newId(now);
    const { kind, at, data } = event;
    const content =
      row.mode === "realtime"
        ? { event: kind, body: eventBody(id, event) }
        : { event: "batch", body: batchBody(id, now, [{ event: kind, at, data: JSON.stringify(data) }]) };
    this.#insert(row, { id, ...content, singleAttempt: true }, now);
    return id;
  }

  #addToBatch(row: WebhookRow, events: readonly ServiceEvent[], now: number): void {
    this.#sql.exec(
      `INSERT INTO batch_events (webhook, event_id, event, at, data)
       SELECT ?, value->>0, value->>1, value->>2, value->>3 FROM json_each(?) WHERE true
       ON CONFLICT (webhook, event_id) DO NOTHING`,
      row.ref,
      JSON.stringify(events.map(({ id, kind, at, data }) => [id, kind, at, JSON.stringify(data)])),
    );
    if (row.batch_closes_at === null) {
      this.#webhooks.setBatchClosesAt(row.ref, now + webhookRules.batch.window);
    }
  }

  /** Closes a webhook's open batch. The bytes of its deliveries never change after that. */
  closeBatch(row: WebhookRow, now: number): void {
    const batchEvents = this.#sql
      .exec<BatchEventRow>(
        `SELECT event_id, event, at, data FROM batch_events WHERE webhook = ? AND delivery IS NULL
         ORDER BY at, event_id`,
        row.ref,
      )
      .toArray();
    for (const events of splitBatch(batchEvents)) {
      const id = newId(now);
      this.#insert(row, { id, event: "batch", body: batchBody(id, now, events) }, now);
      this.#sql.exec(
        `UPDATE batch_events SET delivery = ?, data = NULL
         WHERE webhook = ? AND event_id IN (SELECT value FROM json_each(?))`,
        id,
        row.ref,
        JSON.stringify(events.map((event) => event.event_id)),
      );
    }
    this.#webhooks.setBatchClosesAt(row.ref, null);
  }

  #insert(row: WebhookRow, delivery: NewDelivery, now: number): void {
    const active = row.status === "active";
    this.#sql.exec(
      `INSERT INTO deliveries (id, webhook, event_id, event, body, status, single_attempt, created_at,
         next_attempt_at, completed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (webhook, event_id) WHERE event_id IS NOT NULL DO NOTHING`,
      delivery.id,
      row.ref,
      delivery.eventId ?? null,
      delivery.event,
      delivery.body,
      active ? "pending" : "skipped",
      delivery.singleAttempt ? 1 : 0,
      now,
      active ? now : null,
      active ? null : now,
    );
  }
}

interface NewDelivery {
  readonly id: string;
  /** The kind of event, or `batch`. */
  readonly event: string;
  readonly body: string;
  /** The id of its event, of which a webhook has one delivery. Undefined for a batch or a test. */
  readonly eventId?: string;
  readonly singleAttempt?: true;
}

const eventBody = (deliveryId: string, { kind, at, data }: ServiceEvent) =>
  JSON.stringify({ event: kind, deliveryId, createdAt: isoTime(at), data });

function batchBody(
  deliveryId: string,
  now: number,
  events: readonly Omit<BatchEventRow, "event_id">[],
): string {
  const entries = events.map(
    ({ event, at, data }) => `{"event":${JSON.stringify(event)},"createdAt":"${isoTime(at)}","data":${data}}`,
  );
  return `{"deliveryId":"${deliveryId}","createdAt":"${isoTime(now)}","events":[${entries.join(",")}]}`;
}

/** Bytes of JSON around the data of an event, and around all events of a batch, at most. */
const envelopeBytes = 120;

/** Splits a batch into deliveries that hold no more events and bytes than the rules allow. */
function splitBatch(events: readonly BatchEventRow[]): BatchEventRow[][] {
  const { maxEvents, maxBytes } = webhookRules.batch;
  const encoder = new TextEncoder();
  const bytesOf = ({ data }: BatchEventRow) => encoder.encode(data).length + envelopeBytes;
  return [...chunksBySize(events, maxBytes - 2 * envelopeBytes, bytesOf)].flatMap((chunk) => [
    ...chunksBySize(chunk, maxEvents, () => 1),
  ]);
}

/** Whether the event concerns the code or page that the webhook is limited to, if any. */
function inScope(row: WebhookRow, event: ServiceEvent): boolean {
  const { qrId = null, pageId = null } = subjectOf(event);
  if (row.scope_qr_id !== null && row.scope_qr_id !== qrId) return false;
  return row.scope_page_id === null || row.scope_page_id === pageId;
}

/** The code or page an event is about. */
function subjectOf(event: ServiceEvent): { readonly qrId?: string; readonly pageId?: string } {
  switch (event.kind) {
    case "qr.created":
    case "qr.updated":
    case "qr.deleted":
      return { qrId: event.data.id };
    case "qr.scanned":
      return { qrId: event.data.qrId };
    case "page.submitted":
      return { pageId: event.data.pageId };
    case "bulk.completed":
    case "subscription.updated":
      return {};
  }
}
