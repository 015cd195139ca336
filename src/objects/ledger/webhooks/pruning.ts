import { bounds } from "../../../protocol/bounds.ts";
import { webhookRules } from "../../../protocol/webhook-rules.ts";
import { LedgerPart } from "../part.ts";
import type { LedgerWebhooks, WebhookTimes } from "./webhooks.ts";

const hour = 60 * 60 * 1000;

/** Roughly how many events' deliveries one run deletes. If more are left, another run is due at once. */
const runSize = 1000;

/** Deletes ended deliveries, oldest first: those past their retention and those beyond their webhook's limit. */
export class LedgerPruning extends LedgerPart<{
  sql: SqlStorage;
  webhooks: LedgerWebhooks;
}> {
  /**
   * When there is something to delete, epoch milliseconds; null for never. Rounded to full hours, so that each run
   * deletes many.
   */
  nextAt({ oldest_ended, ended_events }: WebhookTimes): number | null {
    if (ended_events > bounds.endedEvents) return 0;
    return oldest_ended === null ? null : Math.ceil((oldest_ended + webhookRules.retention) / hour) * hour;
  }

  /** Deletes what is due, up to the size of a run. @param now epoch milliseconds */
  run(now: number): void {
    let remaining = runSize;
    for (const times of this.parts.webhooks.times()) {
      if (remaining <= 0) return;
      const due = this.nextAt(times);
      if (due !== null && due <= now) remaining -= this.#prune(times, now, remaining);
    }
  }

  /** @returns the number of events in the deleted deliveries */
  #prune({ ref, ended_events }: WebhookTimes, now: number, size: number): number {
    const oldest = this.parts.sql
      .exec<{ id: string; event_count: number; completed_at: number }>(
        `SELECT id, event_count, completed_at FROM deliveries
         WHERE webhook = ? AND completed_at IS NOT NULL ORDER BY completed_at LIMIT ?`,
        ref,
        size,
      )
      .toArray();
    const ids: string[] = [];
    let events = 0;
    for (const { id, event_count, completed_at } of oldest) {
      const kept = completed_at > now - webhookRules.retention && ended_events <= bounds.endedEvents;
      if (kept || events >= size) break;
      ids.push(id);
      events += event_count;
    }
    const pruned = JSON.stringify(ids);
    const among = "IN (SELECT value FROM json_each(?))";
    this.parts.sql.exec(`DELETE FROM attempts WHERE delivery ${among}`, pruned);
    this.parts.sql.exec(`DELETE FROM batch_events WHERE delivery ${among}`, pruned);
    this.parts.sql.exec(`DELETE FROM deliveries WHERE id ${among}`, pruned);
    return events;
  }
}
