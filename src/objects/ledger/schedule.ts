import type { LedgerRollups } from "./analytics/rollups.ts";
import type { LedgerUpkeep } from "./maintenance.ts";
import { earliest } from "./times.ts";
import type { LedgerBatches } from "./webhooks/batches.ts";
import type { LedgerDispatch } from "./webhooks/dispatch.ts";
import type { LedgerPruning } from "./webhooks/pruning.ts";
import type { LedgerReplays } from "./webhooks/replays.ts";
import type { LedgerWebhooks, WebhookRow } from "./webhooks/webhooks.ts";

/** What the ledger's alarm does, and when. Times are epoch milliseconds. */
export class LedgerSchedule {
  readonly #webhooks: LedgerWebhooks;
  readonly #batches: LedgerBatches;
  readonly #dispatch: LedgerDispatch;
  readonly #replays: LedgerReplays;
  readonly #pruning: LedgerPruning;
  readonly #rollups: LedgerRollups;
  readonly #upkeep: LedgerUpkeep;

  constructor(
    webhooks: LedgerWebhooks,
    batches: LedgerBatches,
    dispatch: LedgerDispatch,
    replays: LedgerReplays,
    pruning: LedgerPruning,
    rollups: LedgerRollups,
    upkeep: LedgerUpkeep,
  ) {
    this.#webhooks = webhooks;
    this.#batches = batches;
    this.#dispatch = dispatch;
    this.#replays = replays;
    this.#pruning = pruning;
    this.#rollups = rollups;
    this.#upkeep = upkeep;
  }

  /** Forgets what is held in memory. Call it after any change but a frequent one, and after a rollback. */
  clearMemory(): void {
    this.#upkeep.clearMemory();
  }

  /** When the alarm has to fire next, as seen now; null for never. */
  nextAt(now: number): number | null {
    const webhooks = this.#webhooks.times();
    return earliest([
      this.#rollups.nextAt(),
      this.#upkeep.nextAt(),
      webhooks.some(({ is_replaying }) => is_replaying === 1) ? this.#replays.nextAt(now) : null,
      ...webhooks.flatMap((times) => [
        this.#dispatch.nextEnqueueAt(times),
        times.batch_closes_at,
        this.#pruning.nextAt(times),
      ]),
    ]);
  }

  /** Closes batches whose window is over, goes on with replays, prunes deliveries, folds and deletes scans. @returns webhooks with deliveries due or overdue */
  run(now: number): WebhookRow[] {
    const isPast = (time: number | null) => time !== null && time <= now;
    for (const row of this.#webhooks.rows()) {
      if (isPast(row.batch_closes_at)) this.#batches.close(row, now);
    }
    this.#pruning.run(now);
    this.#rollups.run(now);
    this.#upkeep.run(now);
    const replaying = this.#replays.run(now);
    const due = this.#webhooks.times().filter((times) => isPast(this.#dispatch.nextEnqueueAt(times)));
    const refs = new Set([...replaying, ...due.map(({ ref }) => ref)]);
    return this.#webhooks.rows().filter(({ ref }) => refs.has(ref));
  }
}
