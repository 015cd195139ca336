import { DurableObject } from "cloudflare:workers";
import type { DeliveryStatus } from "../../contract/resources/enums.ts";
import type { Replay, ReplayPreview } from "../../contract/resources/replays.ts";
import type { Delivery, DeliveryWithAttempts, Webhook } from "../../contract/resources/webhooks.ts";
import type { ServiceEvent } from "../../protocol/events.ts";
import type { ReplaySelection } from "../../protocol/replays.ts";
import type {
  AttemptOutcome,
  Claim,
  NewWebhook,
  ReplayProblem,
  WebhookChanges,
} from "../../protocol/workspace-ledger.ts";
import { migrateObject } from "../migrations.ts";
import { ledgerMigrations } from "./migrations/index.ts";
import { type LedgerParts, ledgerParts } from "./parts.ts";

/** The part of a ledger that manages webhooks and their deliveries. Times are the caller's clock, epoch milliseconds. */
export class WebhookLedger extends DurableObject<Env> {
  protected readonly parts: LedgerParts;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, ledgerMigrations);
    this.parts = ledgerParts(ctx, () => this.env.FILES);
  }

  /** Registers a webhook. @param cap webhooks the plan allows @returns undefined when the cap is reached */
  createWebhook(webhook: NewWebhook, cap: number): Webhook | undefined {
    return this.parts.webhooks.create(webhook, cap);
  }

  /** All webhooks, oldest first. */
  listWebhooks(): Webhook[] {
    return this.parts.webhooks.list();
  }

  /** One webhook, without its secret. */
  getWebhook(id: string): Webhook | undefined {
    return this.parts.webhooks.get(id);
  }

  /** Changes, pauses or resumes a webhook. @returns the changed webhook; undefined when there is none with this id */
  changeWebhook(id: string, changes: WebhookChanges, now: number): Promise<Webhook | undefined> {
    return this.parts.webhookActions.change(id, changes, now);
  }

  /** Replaces a webhook's secret. @param secret encrypted @returns whether the webhook exists */
  async rotateSecret(id: string, secret: string, now: number): Promise<boolean> {
    return (await this.parts.webhookActions.rotate(id, secret, now)) ?? false;
  }

  /** Removes a webhook with its deliveries. @returns whether it existed */
  async deleteWebhook(id: string, now: number): Promise<boolean> {
    return (await this.parts.webhookActions.remove(id, now)) ?? false;
  }

  /** Sends one event to one webhook, even if it subscribes to others, in one attempt. @returns the delivery */
  sendTest(id: string, event: ServiceEvent, now: number): Promise<Delivery | undefined> {
    return this.parts.webhookActions.sendTest(id, event, now);
  }

  /** A webhook's deliveries, newest first, after the id `after` down to `since`; undefined when there is no such webhook. */
  listDeliveries(
    id: string,
    status: DeliveryStatus | null,
    after: string | null,
    limit: number,
    since: string | null = null,
  ): Delivery[] | undefined {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.deliveries.list(webhook, { status, after, since }, limit);
  }

  /** A delivery with its body and the log of its attempts. */
  getDelivery(id: string, deliveryId: string): DeliveryWithAttempts | undefined {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.deliveries.get(webhook, deliveryId);
  }

  /** Makes a failed or skipped delivery due once more. @returns the delivery, or the reason that prevents it */
  replay(id: string, deliveryId: string, now: number): Promise<Delivery | ReplayProblem | undefined> {
    return this.parts.webhookActions.replay(id, deliveryId, now);
  }

  /** How many deliveries of a webhook a replay would find. */
  countReplay(id: string, selection: ReplaySelection, now: number): ReplayPreview | undefined {
    return this.parts.webhookActions.countReplay(id, selection, now);
  }

  /** Begins to replay a webhook's failed deliveries. @returns the replay, or the reason that prevents it */
  startReplay(id: string, selection: ReplaySelection, now: number) {
    return this.parts.webhookActions.startReplay(id, selection, now);
  }

  /** A webhook's replays, newest first. */
  listReplays(id: string): Replay[] | undefined {
    return this.parts.webhookActions.listReplays(id);
  }

  /** Stops a replay. Deliveries that it made due are still sent. */
  stopReplay(id: string, replayId: string, now: number): Promise<Replay | undefined> {
    return this.parts.webhookActions.stopReplay(id, replayId, now);
  }

  /** Leases due attempts of a webhook to the caller, which makes them. Undefined when there is no such webhook. */
  claim(id: string, now: number): Promise<Claim | undefined> {
    return this.parts.webhookActions.claim(id, now);
  }

  /** Records the outcome of a claimed attempt. */
  settle(
    id: string,
    deliveryId: string,
    attempt: number,
    outcome: AttemptOutcome,
    now: number,
  ): Promise<void> {
    return this.parts.webhookActions.settle(id, deliveryId, attempt, outcome, now);
  }
}
