import type { ServiceEvent } from "../../protocol/events.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import { newId } from "../../lib/text/ids.ts";
import { chunksBySize } from "../../lib/chunks.ts";
import type { LedgerWebhooks, WebhookRow } from "./webhooks.ts";

/** An event as a batch holds it. */
type GatheredRow = { event_id: string; event: string; at: number; data: string };

/**
 * Turns events into deliveries: one for each webhook that asked for the event, or a place in the batch that the
 * webhook is gathering. What comes for a paused webhook is written down as skipped. An event that is told twice
 * changes nothing.
 */
export class LedgerEvents {
  readonly #sql: SqlStorage;
  readonly #webhooks: LedgerWebhooks;

  constructor(sql: SqlStorage, webhooks: LedgerWebhooks) {
    this.#sql = sql;
    this.#webhooks = webhooks;
  }

  /** Webhooks that ask for this kind of event. */
  listeners(kind: ServiceEvent["kind"]): WebhookRow[] {
    return this.#webhooks.rows().filter((row) => (JSON.parse(row.events) as string[]).includes(kind));
  }

  /** @param now epoch milliseconds @returns webhooks that have something due now */
  emit(events: readonly ServiceEvent[], now: number): WebhookRow[] {
    const webhooks = this.#webhooks.rows().map((row) => ({ row, kinds: JSON.parse(row.events) as string[] }));
    return webhooks.flatMap(({ row, kinds }) => {
      // What happened before it was registered is not for it.
      const own = events.filter(
        (event) => kinds.includes(event.kind) && event.at >= row.created_at && inScope(row, event),
      );
      if (own.length === 0) return [];
      if (row.mode === "batched_5m") {
        this.#gather(row, own, now);
        return [];
      }
      for (const event of own) this.#deliver(row, event, now);
      return row.status === "active" && row.put_off_until <= now ? [row] : [];
    });
  }

  #deliver(row: WebhookRow, event: ServiceEvent, now: number): void {
    const id = newId(now);
    this.#insert(row, { id, event: event.kind, body: eventBody(id, event), eventId: event.id }, now);
  }

  /** Writes one event down for one webhook, in the form it gets events in; tried once. @returns the delivery's id */
  deliverOnce(row: WebhookRow, event: ServiceEvent, now: number): string {
    const id = newId(now);
    const { kind, at, data } = event;
    const form =
      row.mode === "realtime"
        ? { event: kind, body: eventBody(id, event) }
        : { event: "batch", body: batchBody(id, now, [{ event: kind, at, data: JSON.stringify(data) }]) };
    this.#insert(row, { id, ...form, once: true }, now);
    return id;
  }

  #gather(row: WebhookRow, events: readonly ServiceEvent[], now: number): void {
    this.#sql.exec(
      `INSERT INTO batch_events (webhook, event_id, event, at, data)
       SELECT ?, value->>0, value->>1, value->>2, value->>3 FROM json_each(?) WHERE true
       ON CONFLICT (webhook, event_id) DO NOTHING`,
      row.ref,
      JSON.stringify(events.map(({ id, kind, at, data }) => [id, kind, at, JSON.stringify(data)])),
    );
    if (row.batch_closes_at === null) this.#webhooks.noteBatch(row.ref, now + webhookRules.batch.window);
  }

  /** Closes what a webhook has gathered: from now on its deliveries' bytes never change. */
  freeze(row: WebhookRow, now: number): void {
    const gathered = this.#sql
      .exec<GatheredRow>(
        `SELECT event_id, event, at, data FROM batch_events WHERE webhook = ? AND delivery IS NULL
         ORDER BY at, event_id`,
        row.ref,
      )
      .toArray();
    for (const events of batches(gathered)) {
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
    this.#webhooks.noteBatch(row.ref, null);
  }

  #insert(row: WebhookRow, delivery: NewDelivery, now: number): void {
    const active = row.status === "active";
    this.#sql.exec(
      `INSERT INTO deliveries (id, webhook, event_id, event, body, status, once, created_at, next_at, completed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (webhook, event_id) WHERE event_id IS NOT NULL DO NOTHING`,
      delivery.id,
      row.ref,
      delivery.eventId ?? null,
      delivery.event,
      delivery.body,
      active ? "pending" : "skipped",
      delivery.once ? 1 : 0,
      now,
      active ? now : null,
      active ? null : now,
    );
  }
}

interface NewDelivery {
  readonly id: string;
  /** The kind, or `batch`. */
  readonly event: string;
  readonly body: string;
  /** The event it stands for, which is delivered once. */
  readonly eventId?: string;
  readonly once?: true;
}

const eventBody = (deliveryId: string, { kind, at, data }: ServiceEvent) =>
  JSON.stringify({ event: kind, deliveryId, createdAt: isoTime(at), data });

function batchBody(
  deliveryId: string,
  now: number,
  events: readonly Omit<GatheredRow, "event_id">[],
): string {
  const entries = events.map(
    ({ event, at, data }) => `{"event":${JSON.stringify(event)},"createdAt":"${isoTime(at)}","data":${data}}`,
  );
  return `{"deliveryId":"${deliveryId}","createdAt":"${isoTime(now)}","events":[${entries.join(",")}]}`;
}

const isoTime = (at: number) => new Date(at).toISOString();

/** Events in POSTs: as many as the rules allow in each. */
function batches(events: readonly GatheredRow[]): GatheredRow[][] {
  const { events: most, bytes } = webhookRules.batch;
  const encoder = new TextEncoder();
  // What stands around the data of an event, and around all of them.
  const frame = 120;
  const slices = chunksBySize(events, bytes - 2 * frame, ({ data }) => encoder.encode(data).length + frame);
  return [...slices].flatMap((slice) =>
    Array.from({ length: Math.ceil(slice.length / most) }, (_, i) => slice.slice(i * most, (i + 1) * most)),
  );
}

/** What the event is about must be what the webhook is limited to, if it is. */
function inScope(row: WebhookRow, event: ServiceEvent): boolean {
  const { id, qrId, pageId } = event.data as { id?: string; qrId?: string; pageId?: string };
  if (row.scope_qr_id !== null && row.scope_qr_id !== (qrId ?? id)) return false;
  return row.scope_page_id === null || row.scope_page_id === pageId;
}
