import type { LedgerBatches } from "./batches.ts";
import type { LedgerDispatch } from "./dispatch.ts";
import type { LedgerPruning } from "./pruning.ts";
import type { LedgerReplays } from "./replays.ts";
import type { LedgerRollups } from "./rollups.ts";
import { earliest } from "./times.ts";
import type { LedgerUpkeep } from "./upkeep.ts";
import type { LedgerWebhooks, WebhookRow } from "./webhooks.ts";

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

  /** Forgets what is held in memory. Call it after any change but that of `LedgerRecording`, and after a rollback. */
  clearMemory(): void {
    this.#upkeep.clearMemory();
  }

  /** When the alarm has to fire next, as seen now; null for never. */
  nextAt(now: number): number | null {
    return earliest([
      this.#rollups.nextAt(),
      this.#upkeep.nextAt(),
      ...this.#webhooks
        .rows()
        .flatMap((row) => [
          this.#dispatch.nextEnqueueAt(row),
          row.batch_closes_at,
          this.#replays.nextAt(row, now),
          this.#pruning.nextAt(row),
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
    return this.#webhooks
      .rows()
      .filter((row) => this.#replays.run(row, now) || isPast(this.#dispatch.nextEnqueueAt(row)));
  }
}
