import type { LedgerRollups } from "./analytics/rollups.ts";
import type { LedgerTotalCopies } from "./analytics/total-copies.ts";
import type { LedgerCopy } from "./backup/copy.ts";
import type { LedgerRestore } from "./backup/restore.ts";
import type { LedgerMaintenance } from "./maintenance/maintenance.ts";
import { LedgerPart } from "./part.ts";
import { earliest } from "./times.ts";
import type { LedgerBatches } from "./webhooks/batches.ts";
import type { LedgerDispatch } from "./webhooks/dispatch.ts";
import type { LedgerPruning } from "./webhooks/pruning.ts";
import type { LedgerReplays } from "./webhooks/replays.ts";
import type { LedgerWebhooks, WebhookRow, WebhookTimes } from "./webhooks/webhooks.ts";

/** The work of the ledger's alarm and when it is due. Times are epoch milliseconds. */
export class LedgerSchedule extends LedgerPart<{
  webhooks: LedgerWebhooks;
  batches: LedgerBatches;
  dispatch: LedgerDispatch;
  replays: LedgerReplays;
  pruning: LedgerPruning;
  rollups: LedgerRollups;
  maintenance: LedgerMaintenance;
  totalCopies: LedgerTotalCopies;
  copy: LedgerCopy;
  restore: LedgerRestore;
}> {
  /** Drops cached state. Call it after a rollback, and after every change except the frequent ones (`runFrequent`). */
  clearMemory(): void {
    this.parts.maintenance.clearMemory();
  }

  /** When the alarm must fire next; null for never. */
  nextAt(now: number): number | null {
    const webhooks = this.parts.webhooks.times();
    return earliest([
      this.parts.rollups.nextAt(),
      this.parts.maintenance.nextAt(),
      this.parts.totalCopies.nextAt(),
      this.parts.copy.nextAt(),
      webhooks.some(({ is_replaying }) => is_replaying === 1) ? this.parts.replays.nextAt(now) : null,
      ...webhooks.flatMap((times) => [
        this.#enqueueAt(times),
        times.batch_closes_at,
        this.parts.pruning.nextAt(times),
      ]),
    ]);
  }

  /** When a webhook must be enqueued next; null for never, and while a restored ledger holds deliveries. */
  #enqueueAt(times: WebhookTimes): number | null {
    return this.parts.restore.holdsDeliveries ? null : this.parts.dispatch.nextEnqueueAt(times);
  }

  /**
   * Closes batches whose window is over, continues replays, prunes deliveries, folds and deletes scans. @returns
   * webhooks with deliveries due or overdue
   */
  run(now: number): WebhookRow[] {
    const isPast = (time: number | null) => time !== null && time <= now;
    for (const row of this.parts.webhooks.rows()) {
      if (isPast(row.batch_closes_at)) this.parts.batches.close(row, now);
    }
    this.parts.copy.run(now);
    this.parts.pruning.run(now);
    this.parts.rollups.run(now);
    this.parts.maintenance.run(now);
    const replaying = this.parts.replays.run(now);
    const due = this.parts.webhooks.times().filter((times) => isPast(this.#enqueueAt(times)));
    const refs = new Set([...replaying, ...due.map(({ ref }) => ref)]);
    return this.parts.webhooks.rows().filter(({ ref }) => refs.has(ref));
  }
}
