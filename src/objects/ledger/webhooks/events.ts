import { newId } from "../../../lib/text/ids.ts";
import type { ServiceEvent } from "../../../protocol/events.ts";
import { LedgerPart } from "../part.ts";
import { isoTime } from "../times.ts";
import { batchBody, type LedgerBatches } from "./batches.ts";
import type { LedgerDeliveries } from "./deliveries.ts";
import { type LedgerWebhooks, subscriptionsOf, type WebhookRow } from "./webhooks.ts";

/**
 * Turns events into deliveries: one per subscribed webhook, or an entry in the webhook's open batch. Deliveries of a
 * paused webhook are stored as skipped. An event emitted twice has no further effect. A webhook only gets events
 * emitted after its registration.
 */
export class LedgerEvents extends LedgerPart<{
  webhooks: LedgerWebhooks;
  deliveries: LedgerDeliveries;
  batches: LedgerBatches;
}> {
  /** Returns whether any webhook subscribes to this kind of event. */
  hasSubscribers(kind: ServiceEvent["kind"]): boolean {
    return this.parts.webhooks.rows().some((row) => subscriptionsOf(row).includes(kind));
  }

  /** @param now epoch milliseconds @returns webhooks with deliveries due now */
  emit(events: readonly ServiceEvent[], now: number): WebhookRow[] {
    return this.parts.webhooks.rows().filter((row) => {
      const kinds = subscriptionsOf(row);
      // Times are not compared, because an event's time comes from another isolate's clock, which may lag behind.
      const own = events.filter((event) => kinds.includes(event.kind) && inScope(row, event));
      if (own.length === 0) return false;
      return this.#deliver(row, own, now) && row.status === "active" && row.backoff_until <= now;
    });
  }

  /** @returns whether deliveries were created */
  #deliver(row: WebhookRow, events: readonly ServiceEvent[], now: number): boolean {
    if (row.mode === "batched_5m") return this.parts.batches.add(row, events, now);
    for (const event of events) {
      const id = newId(now);
      const delivery = { id, event: event.kind, body: eventBody(id, event), eventId: event.id };
      this.parts.deliveries.insert(row, delivery, now);
    }
    return true;
  }

  /** Creates a delivery of one event in the webhook's mode, with a single attempt. @returns the delivery's id */
  deliverOnce(row: WebhookRow, event: ServiceEvent, now: number): string {
    const id = newId(now);
    const { id: eventId, kind, at, data } = event;
    const content =
      row.mode === "realtime"
        ? { event: kind, body: eventBody(id, event) }
        : {
            event: "batch",
            body: batchBody(id, now, [{ id: eventId, event: kind, at, data: JSON.stringify(data) }]),
          };
    this.parts.deliveries.insert(row, { id, ...content, singleAttempt: true }, now);
    return id;
  }
}

/** Returns the body of the delivery of an event or alert. */
export const eventBody = (
  deliveryId: string,
  { kind, at, data }: { readonly kind: string; readonly at: number; readonly data: object },
) => JSON.stringify({ event: kind, deliveryId, createdAt: isoTime(at), data });

/** Returns whether the event concerns the code or page that the webhook is limited to, if any. */
function inScope(row: WebhookRow, event: ServiceEvent): boolean {
  const { qrId = null, pageId = null } = subjectOf(event);
  if (row.scope_qr_id !== null && row.scope_qr_id !== qrId) return false;
  return row.scope_page_id === null || row.scope_page_id === pageId;
}

/** Returns the code or page that an event is about. */
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
