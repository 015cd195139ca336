import type { Replay, ReplayPreview } from "../../../contract/resources/replays.ts";
import type { Delivery, Webhook } from "../../../contract/resources/webhooks.ts";
import type { ServiceEvent } from "../../../protocol/events.ts";
import type { ReplaySelection } from "../../../protocol/replays.ts";
import { webhookRules } from "../../../protocol/webhook-rules.ts";
import type {
  AttemptOutcome,
  Claim,
  ReplayProblem,
  WebhookChanges,
} from "../../../protocol/workspace-ledger.ts";
import { LedgerPart } from "../part.ts";
import type { LedgerTransactions } from "../transactions.ts";
import type { LedgerBatches } from "./batches.ts";
import { hasBody, type LedgerDeliveries, presentDelivery } from "./deliveries.ts";
import type { LedgerDispatch } from "./dispatch.ts";
import type { LedgerEvents } from "./events.ts";
import type { LedgerReplays } from "./replays.ts";
import { type LedgerWebhooks, pausedByHand, type WebhookRow } from "./webhooks.ts";

/** The reason of a replay that the owner has stopped. */
const stoppedByHand = "Stopped by hand";

/** Changes of one webhook, each in a transaction. All return undefined when there is no webhook with the id. */
export class WebhookActions extends LedgerPart<{
  webhooks: LedgerWebhooks;
  deliveries: LedgerDeliveries;
  batches: LedgerBatches;
  events: LedgerEvents;
  dispatch: LedgerDispatch;
  replays: LedgerReplays;
  transactions: LedgerTransactions;
}> {
  /** Changes, pauses or resumes it. */
  change(id: string, changes: WebhookChanges, now: number): Promise<Webhook | undefined> {
    const { webhooks, batches, dispatch } = this.parts;
    return this.#with(id, now, (webhook) => {
      // Events of the open batch are sent as a batch.
      if (changes.mode === "realtime" && webhook.mode !== "realtime") batches.close(webhook, now);
      webhooks.change(webhook.ref, changes);
      if (changes.status === "paused" && webhook.status === "active") {
        dispatch.pause(webhook, pausedByHand, now);
      }
      if (changes.status === "active" && webhook.status === "paused") {
        webhooks.setStatus(webhook.ref, "active", null);
      }
      return webhooks.get(id);
    });
  }

  /** Replaces its secret. @param secret encrypted */
  rotate(id: string, secret: string, now: number): Promise<true | undefined> {
    return this.#with(id, now, ({ ref }) => {
      this.parts.webhooks.rotate(ref, secret, now + webhookRules.secretGracePeriod);
      return true;
    });
  }

  /** Removes it with its deliveries. */
  remove(id: string, now: number): Promise<true | undefined> {
    return this.#with(id, now, ({ ref }) => {
      this.parts.webhooks.remove(ref);
      return true;
    });
  }

  /** Sends it one event, also of a kind it does not subscribe to, in one attempt. */
  sendTest(id: string, event: ServiceEvent, now: number): Promise<Delivery | undefined> {
    return this.#with(id, now, (webhook) => {
      const deliveryId = this.parts.events.deliverOnce(webhook, event, now);
      this.parts.webhooks.markEnqueued([webhook], now);
      return this.#presentDelivery(webhook, deliveryId);
    });
  }

  /** Makes a failed or skipped delivery due once more. @returns the delivery, or the reason that prevents it */
  replay(id: string, deliveryId: string, now: number): Promise<Delivery | ReplayProblem | undefined> {
    return this.#with(id, now, (webhook) => {
      const row = this.parts.deliveries.find(webhook.ref, deliveryId);
      if (row === undefined) return undefined;
      if (row.status === "pending" || row.status === "succeeded") return row.status;
      if (!hasBody(row)) return "erased";
      if (webhook.status === "paused") return webhook.status;
      this.parts.deliveries.replay([deliveryId], now, null);
      this.parts.webhooks.markEnqueued([webhook], now);
      return this.#presentDelivery(webhook, deliveryId);
    });
  }

  /** How many deliveries a replay would find. */
  countReplay(id: string, selection: ReplaySelection, now: number): ReplayPreview | undefined {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.replays.count(webhook, selection, now);
  }

  /** Begins to replay all that failed. @returns the replay, or the reason that prevents it */
  startReplay(
    id: string,
    selection: ReplaySelection,
    now: number,
  ): Promise<Replay | "paused" | "running" | undefined> {
    return this.#with(id, now, (webhook) => {
      if (webhook.status === "paused") return webhook.status;
      const replay = this.parts.replays.start(webhook, selection, now);
      this.parts.webhooks.markEnqueued([webhook], now);
      return replay;
    });
  }

  /** Its replays, newest first. */
  listReplays(id: string): Replay[] | undefined {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.replays.list(webhook);
  }

  /** Stops a replay; one that has ended stays as it is. */
  stopReplay(id: string, replayId: string, now: number): Promise<Replay | undefined> {
    const find = (webhook: WebhookRow) =>
      this.parts.replays.list(webhook).find((replay) => replay.id === replayId);
    return this.#with(id, now, (webhook) => {
      if (find(webhook)?.status === "running") this.parts.replays.stop(webhook, stoppedByHand, now);
      return find(webhook);
    });
  }

  /** Leases due attempts to the caller, which makes them. */
  async claim(id: string, now: number): Promise<Claim | undefined> {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.transactions.runFrequent(now, () => this.parts.dispatch.claim(webhook, now));
  }

  /** Records the outcome of a claimed attempt. */
  async settle(
    id: string,
    deliveryId: string,
    attempt: number,
    outcome: AttemptOutcome,
    now: number,
  ): Promise<void> {
    const webhook = this.parts.webhooks.find(id);
    if (webhook === undefined) return;
    await this.parts.transactions.runFrequent(now, () =>
      this.parts.dispatch.settle(webhook, deliveryId, attempt, outcome, now),
    );
  }

  async #with<T>(id: string, now: number, change: (webhook: WebhookRow) => T): Promise<T | undefined> {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.transactions.run(now, () => change(webhook));
  }

  #presentDelivery(webhook: WebhookRow, deliveryId: string): Delivery | undefined {
    const row = this.parts.deliveries.find(webhook.ref, deliveryId);
    return row && presentDelivery(row, webhook.backoff_until);
  }
}
