import { DurableObject } from "cloudflare:workers";
import type { DeliveryStatus } from "../../contract/resources/enums.ts";
import type { ScanListResponse } from "../../contract/resources/scans.ts";
import type { Delivery, DeliveryWithAttempts, Webhook } from "../../contract/resources/webhooks.ts";
import type { ServiceEvent } from "../../protocol/events.ts";
import type { DueDeliveries, ScanBatch } from "../../protocol/messages.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import type {
  AttemptOutcome,
  Claim,
  ExportPage,
  ExportRequest,
  NewSubmission,
  NewWebhook,
  SubmissionPage,
  WebhookChanges,
  WorkspaceLedgerMethods,
} from "../../protocol/workspace-ledger.ts";
import { migrateObject } from "../migrations.ts";
import { LedgerAlarm } from "./alarm.ts";
import { LedgerDeliveries, presentDelivery } from "./deliveries.ts";
import { LedgerDispatch } from "./dispatch.ts";
import { scannedEvent, submittedEvent } from "./event-data.ts";
import { LedgerEvents } from "./events.ts";
import { LedgerExport } from "./export.ts";
import { ledgerMigrations } from "./migrations/index.ts";
import { LedgerScans } from "./scans.ts";
import { LedgerSubmissions } from "./submissions.ts";
import { earliest } from "./times.ts";
import { LedgerWebhooks, type WebhookRow } from "./webhooks.ts";

/**
 * One workspace's scans, submissions, webhooks and deliveries. Every workspace has its own object, hence its own 10 GB
 * and its own writer: a flood of scans in one never slows another. Webhooks are stored beside their deliveries, so that
 * an event, a failure or a pause changes both in one transaction. Times are the caller's clock, epoch milliseconds.
 */
export class WorkspaceLedger extends DurableObject<Env> implements WorkspaceLedgerMethods {
  readonly #alarm: LedgerAlarm;
  readonly #scans: LedgerScans;
  readonly #export: LedgerExport;
  readonly #submissions: LedgerSubmissions;
  readonly #webhooks: LedgerWebhooks;
  readonly #deliveries: LedgerDeliveries;
  readonly #events: LedgerEvents;
  readonly #dispatch: LedgerDispatch;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, ledgerMigrations);
    const { sql } = ctx.storage;
    this.#alarm = new LedgerAlarm(ctx.storage);
    this.#scans = new LedgerScans(sql);
    this.#export = new LedgerExport(sql);
    this.#submissions = new LedgerSubmissions(sql);
    this.#webhooks = new LedgerWebhooks(sql);
    this.#deliveries = new LedgerDeliveries(sql);
    this.#events = new LedgerEvents(sql, this.#webhooks);
    this.#dispatch = new LedgerDispatch(this.#webhooks, this.#deliveries, this.#events);
  }

  /**
   * Stores scans, all or none, with the deliveries they cause. A scan that is stored already (same id) changes nothing.
   * @returns ids of webhooks with deliveries due
   */
  async recordScans(batches: readonly ScanBatch[], now: number): Promise<string[]> {
    try {
      return await this.#transact(now, () => {
        const recorded = this.#scans.record(batches);
        if (!this.#events.hasSubscribers("qr.scanned")) return [];
        return this.#markEnqueued(this.#events.emit(recorded.map(scannedEvent), now), now);
      });
    } catch (error) {
      this.#scans.clearDictionary();
      throw error;
    }
  }

  /** Statistics and the newest scans of one code. Costs the same at a hundred scans and at a million. */
  listScans(qrId: string, limit: number): ScanListResponse {
    return this.#scans.list(qrId, limit);
  }

  /** The number of human scans of all codes, deleted ones included. Reads one row per code. */
  countScans(): number {
    return this.#scans.count();
  }

  /** One page of scans, oldest first, rendered for the export. */
  exportPage(request: ExportRequest): ExportPage {
    return this.#export.page(request);
  }

  /**
   * Stores a submission, with the deliveries it causes. One that was posted before changes nothing.
   * @returns ids of webhooks with deliveries due
   */
  submit(submission: NewSubmission, now: number): Promise<string[]> {
    return this.#transact(now, () => {
      if (!this.#submissions.add(submission)) return [];
      return this.#markEnqueued(this.#events.emit([submittedEvent(submission)], now), now);
    });
  }

  /**
   * A page's submissions in this order.
   * @param after the id of the last one read; null for the beginning
   * @param limit submissions at most; there are fewer if they are large
   */
  listSubmissions(
    pageId: string,
    order: "oldest" | "newest",
    after: string | null,
    limit: number,
  ): SubmissionPage {
    return this.#submissions.list(pageId, order, after, limit);
  }

  /** Names of all fields that a page's submissions ever had. */
  submissionFields(pageId: string): string[] {
    return this.#submissions.fieldNames(pageId);
  }

  /** @returns whether the submission existed */
  deleteSubmission(pageId: string, id: string): boolean {
    return this.#submissions.remove(pageId, id);
  }

  /** Turns events into deliveries. An event that was emitted before changes nothing. @returns webhooks with some due */
  emit(events: readonly ServiceEvent[], now: number): Promise<string[]> {
    return this.#transact(now, () => this.#markEnqueued(this.#events.emit(events, now), now));
  }

  /** Registers a webhook. @param cap webhooks the plan allows @returns undefined when the cap is reached */
  createWebhook(webhook: NewWebhook, cap: number): Webhook | undefined {
    // The object has no name while its alarm runs, so the name is stored.
    this.ctx.storage.kv.put("workspace_id", this.ctx.id.name);
    return this.#webhooks.create(webhook, cap);
  }

  /** All webhooks, oldest first. */
  listWebhooks(): Webhook[] {
    return this.#webhooks.list();
  }

  /** One webhook, without its secret. */
  getWebhook(id: string): Webhook | undefined {
    return this.#webhooks.get(id);
  }

  /** Changes, pauses or resumes a webhook. @returns the changed webhook; undefined when there is none with this id */
  changeWebhook(id: string, changes: WebhookChanges, now: number): Promise<Webhook | undefined> {
    return this.#withWebhook(id, now, (webhook) => {
      // Events of the open batch are sent as a batch.
      if (changes.mode === "realtime" && webhook.mode !== "realtime") this.#events.closeBatch(webhook, now);
      this.#webhooks.change(webhook.ref, changes);
      if (changes.status === "paused" && webhook.status === "active") {
        this.#dispatch.pause(webhook, "Paused by hand", now);
      }
      if (changes.status === "active" && webhook.status === "paused") {
        this.#webhooks.setStatus(webhook.ref, "active", null);
      }
      return this.#webhooks.get(id);
    });
  }

  /** Replaces a webhook's secret. @param secret encrypted @returns whether the webhook exists */
  async rotateSecret(id: string, secret: string, now: number): Promise<boolean> {
    const rotated = await this.#withWebhook(id, now, (webhook) => {
      this.#webhooks.rotate(webhook.ref, secret, now + webhookRules.secretGracePeriod);
      return true;
    });
    return rotated ?? false;
  }

  /** Removes a webhook with its deliveries. @returns whether it existed */
  async deleteWebhook(id: string, now: number): Promise<boolean> {
    const removed = await this.#withWebhook(id, now, (webhook) => {
      this.#webhooks.remove(webhook.ref);
      return true;
    });
    return removed ?? false;
  }

  /** Sends one event to one webhook, whatever it subscribes to, in one attempt. @returns the delivery */
  sendTest(id: string, event: ServiceEvent, now: number): Promise<Delivery | undefined> {
    return this.#withWebhook(id, now, (webhook) => {
      const deliveryId = this.#events.deliverOnce(webhook, event, now);
      this.#markEnqueued([webhook], now);
      return this.#presentDelivery(webhook, deliveryId);
    });
  }

  /** A webhook's deliveries, newest first, after the id `after`; undefined when there is no such webhook. */
  listDeliveries(
    id: string,
    status: DeliveryStatus | null,
    after: string | null,
    limit: number,
  ): Delivery[] | undefined {
    const webhook = this.#webhooks.find(id);
    return webhook && this.#deliveries.list(webhook, status, after, limit);
  }

  /** A delivery with its body and the log of its attempts. */
  getDelivery(id: string, deliveryId: string): DeliveryWithAttempts | undefined {
    const webhook = this.#webhooks.find(id);
    return webhook && this.#deliveries.get(webhook, deliveryId);
  }

  /** Makes a failed or skipped delivery due once more. @returns the delivery, or the status that prevents it */
  replay(
    id: string,
    deliveryId: string,
    now: number,
  ): Promise<Delivery | "paused" | "pending" | "succeeded" | undefined> {
    return this.#withWebhook(id, now, (webhook) => {
      const row = this.#deliveries.find(webhook.ref, deliveryId);
      if (row === undefined) return undefined;
      if (row.status === "pending" || row.status === "succeeded") return row.status;
      if (webhook.status === "paused") return webhook.status;
      this.#deliveries.replay(deliveryId, now);
      this.#markEnqueued([webhook], now);
      return this.#presentDelivery(webhook, deliveryId);
    });
  }

  /** Leases due attempts of a webhook to the caller, which makes them. Undefined when there is no such webhook. */
  claim(id: string, now: number): Promise<Claim | undefined> {
    return this.#withWebhook(id, now, (webhook) => this.#dispatch.claim(webhook, now));
  }

  /** Records the outcome of a claimed attempt. */
  async settle(
    id: string,
    deliveryId: string,
    attempt: number,
    outcome: AttemptOutcome,
    now: number,
  ): Promise<void> {
    await this.#withWebhook(id, now, (webhook) =>
      this.#dispatch.settle(webhook, deliveryId, attempt, outcome, now),
    );
  }

  /** Closes batches whose window is over, and enqueues webhooks with deliveries due or overdue. */
  override async alarm(): Promise<void> {
    const now = this.#alarm.fired(Date.now());
    const isPast = (time: number | null) => time !== null && time <= now;
    const due = await this.#transact(now, () => {
      for (const webhook of this.#webhooks.rows()) {
        if (isPast(webhook.batch_closes_at)) this.#events.closeBatch(webhook, now);
      }
      this.#deliveries.prune(now - webhookRules.retention);
      const webhooks = this.#webhooks.rows().filter((row) => isPast(this.#dispatch.nextEnqueueAt(row)));
      return this.#markEnqueued(webhooks, now);
    });
    if (due.length === 0) return;
    const workspaceId = this.ctx.storage.kv.get<string>("workspace_id") ?? "";
    const messages = due.map((webhookId): { body: DueDeliveries } => ({ body: { workspaceId, webhookId } }));
    await this.env.DELIVERIES.sendBatch(messages);
  }

  /** Runs a change of one webhook in a transaction. Undefined when there is no such webhook. */
  async #withWebhook<T>(id: string, now: number, change: (webhook: WebhookRow) => T): Promise<T | undefined> {
    const webhook = this.#webhooks.find(id);
    return webhook && this.#transact(now, () => change(webhook));
  }

  /** Runs a change in a transaction, then sets the alarm for the state after it. */
  async #transact<T>(now: number, change: () => T): Promise<T> {
    const result = this.ctx.storage.transactionSync(change);
    const at = earliest(
      this.#webhooks
        .rows()
        .flatMap((webhook) => [this.#dispatch.nextEnqueueAt(webhook), webhook.batch_closes_at]),
    );
    await this.#alarm.set(at === null ? null : Math.max(now, at));
    return result;
  }

  /** Records that the caller is about to enqueue these webhooks. @returns their ids */
  #markEnqueued(webhooks: readonly WebhookRow[], now: number): string[] {
    for (const { ref } of webhooks) this.#webhooks.setLastEnqueued(ref, now);
    return webhooks.map(({ id }) => id);
  }

  #presentDelivery(webhook: WebhookRow, deliveryId: string): Delivery | undefined {
    const row = this.#deliveries.find(webhook.ref, deliveryId);
    return row && presentDelivery(row, webhook.backoff_until);
  }
}
