import { DurableObject } from "cloudflare:workers";
import type { DeliveryStatus } from "../../contract/resources/enums.ts";
import type { ScanListResponse } from "../../contract/resources/scans.ts";
import type { Delivery, DeliveryWithAttempts, Webhook } from "../../contract/resources/webhooks.ts";
import type {
  AnalyticsRequest,
  AnalyticsResult,
  CodeScans,
  ReportingChanges,
  ReportingState,
} from "../../protocol/analytics.ts";
import type { ServiceEvent } from "../../protocol/events.ts";
import type { DueDeliveries, ScanBatch } from "../../protocol/messages.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import type {
  AttemptOutcome,
  Claim,
  ExportPage,
  ExportRequest,
  LedgerStorage,
  NewSubmission,
  NewWebhook,
  ReplayProblem,
  SubmissionPage,
  SubmissionResult,
  WebhookChanges,
  WorkspaceLedgerMethods,
} from "../../protocol/workspace-ledger.ts";
import { migrateObject } from "../migrations.ts";
import { hasBody, presentDelivery } from "./deliveries.ts";
import { scannedEvent, submittedEvent } from "./event-data.ts";
import { ledgerMigrations } from "./migrations/index.ts";
import { type LedgerParts, ledgerParts } from "./parts.ts";
import { factsOf } from "./raw-scans.ts";
import type { WebhookRow } from "./webhooks.ts";

/**
 * One workspace's scans, submissions, webhooks and deliveries. Every workspace has its own object, hence its own 10 GB
 * and its own writer: a flood of scans in one never slows another. Webhooks are stored beside their deliveries, so that
 * an event, a failure or a pause changes both in one transaction. Times are the caller's clock, epoch milliseconds.
 */
export class WorkspaceLedger extends DurableObject<Env> implements WorkspaceLedgerMethods {
  readonly #parts: LedgerParts;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, ledgerMigrations);
    this.#parts = ledgerParts(ctx.storage);
  }

  /**
   * Stores scans, all or none, with the deliveries they cause. A scan that is stored already (same id) changes nothing.
   * @returns ids of webhooks with deliveries due
   */
  async recordScans(batches: readonly ScanBatch[], now: number): Promise<string[]> {
    try {
      return await this.#transact(now, () => {
        this.#parts.capacity.report(this.ctx.id.name, now);
        const { kept } = this.#parts.capacity;
        const recorded = this.#parts.scans.record(batches, kept, now);
        this.#parts.rollups.recorded(factsOf(recorded, kept.visitors), kept.rows);
        if (this.#parts.capacity.exhausted || !this.#parts.events.hasSubscribers("qr.scanned")) return [];
        return this.#markEnqueued(this.#parts.events.emit(recorded.humans.map(scannedEvent), now), now);
      });
    } catch (error) {
      this.#parts.scans.clearDictionary();
      this.#parts.rollups.reset();
      throw error;
    }
  }

  /** Statistics and the newest scans of one code. Costs the same at a hundred scans and at a million. */
  listScans(qrId: string, limit: number): ScanListResponse {
    return this.#parts.scans.list(qrId, limit);
  }

  /** The number of human scans of all codes, deleted ones included. Reads one row per code. */
  countScans(): number {
    return this.#parts.scans.count();
  }

  /** A report on scans, or why it can't be computed. Reads rows in proportion to days and distinct values. */
  analytics(request: AnalyticsRequest, now: number): AnalyticsResult {
    return this.#parts.report.compute(request, now);
  }

  /** Scans of single codes in all and by day, for a list of codes. Reads a row for each code and day. */
  sparklines(qrIds: readonly string[], days: number, now: number): CodeScans[] {
    return this.#parts.sparklines.compute(qrIds, days, now);
  }

  /** How scans are reported and kept. */
  reportingState(): ReportingState {
    return this.#parts.reporting.state;
  }

  /** Changes how scans are reported and kept. */
  changeReporting(changes: ReportingChanges, now: number): Promise<ReportingState> {
    return this.#transact(now, () => {
      this.#parts.reporting.change(changes);
      return this.#parts.reporting.state;
    });
  }

  /** How full the ledger is. */
  storage(): LedgerStorage {
    return this.#parts.capacity.storage;
  }

  /** One page of scans, oldest first, rendered for the export. */
  exportPage(request: ExportRequest): ExportPage {
    return this.#parts.export.page(request);
  }

  /**
   * Stores a submission, with the deliveries it causes. One that was posted before changes nothing.
   * @throws when the ledger is full
   */
  submit(submission: NewSubmission, now: number): Promise<SubmissionResult> {
    return this.#transact(now, () => {
      this.#parts.capacity.requireRoom();
      const outcome = this.#parts.submissions.add(submission, now);
      const events = outcome === "stored" ? [submittedEvent(submission)] : [];
      const due = this.#markEnqueued(this.#parts.events.emit(events, now), now);
      return { outcome, full: this.#parts.submissions.isFull(submission.pageId), due };
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
    return this.#parts.submissions.list(pageId, order, after, limit);
  }

  /** Names of all fields that a page's submissions ever had. */
  submissionFields(pageId: string): string[] {
    return this.#parts.submissions.fieldNames(pageId);
  }

  /** Erases a submission, and its data in deliveries. @returns whether the submission existed */
  deleteSubmission(pageId: string, id: string, now: number): Promise<boolean> {
    return this.#transact(now, () => {
      if (!this.#parts.submissions.remove(pageId, id)) return false;
      this.#parts.erasure.erase(id, now);
      return true;
    });
  }

  /**
   * Turns events into deliveries. An event that was emitted before changes nothing.
   * @returns webhooks with some due
   * @throws when the ledger is full; then the events stay in the outbox
   */
  emit(events: readonly ServiceEvent[], now: number): Promise<string[]> {
    return this.#transact(now, () => {
      this.#parts.capacity.requireRoom();
      return this.#markEnqueued(this.#parts.events.emit(events, now), now);
    });
  }

  /** Registers a webhook. @param cap webhooks the plan allows @returns undefined when the cap is reached */
  createWebhook(webhook: NewWebhook, cap: number): Webhook | undefined {
    // The object has no name while its alarm runs, so the name is stored.
    this.ctx.storage.kv.put("workspace_id", this.ctx.id.name);
    return this.#parts.webhooks.create(webhook, cap);
  }

  /** All webhooks, oldest first. */
  listWebhooks(): Webhook[] {
    return this.#parts.webhooks.list();
  }

  /** One webhook, without its secret. */
  getWebhook(id: string): Webhook | undefined {
    return this.#parts.webhooks.get(id);
  }

  /** Changes, pauses or resumes a webhook. @returns the changed webhook; undefined when there is none with this id */
  changeWebhook(id: string, changes: WebhookChanges, now: number): Promise<Webhook | undefined> {
    return this.#withWebhook(id, now, (webhook) => {
      // Events of the open batch are sent as a batch.
      if (changes.mode === "realtime" && webhook.mode !== "realtime") this.#parts.batches.close(webhook, now);
      this.#parts.webhooks.change(webhook.ref, changes);
      if (changes.status === "paused" && webhook.status === "active") {
        this.#parts.dispatch.pause(webhook, "Paused by hand", now);
      }
      if (changes.status === "active" && webhook.status === "paused") {
        this.#parts.webhooks.setStatus(webhook.ref, "active", null);
      }
      return this.#parts.webhooks.get(id);
    });
  }

  /** Replaces a webhook's secret. @param secret encrypted @returns whether the webhook exists */
  async rotateSecret(id: string, secret: string, now: number): Promise<boolean> {
    const rotated = await this.#withWebhook(id, now, (webhook) => {
      this.#parts.webhooks.rotate(webhook.ref, secret, now + webhookRules.secretGracePeriod);
      return true;
    });
    return rotated ?? false;
  }

  /** Removes a webhook with its deliveries. @returns whether it existed */
  async deleteWebhook(id: string, now: number): Promise<boolean> {
    const removed = await this.#withWebhook(id, now, (webhook) => {
      this.#parts.webhooks.remove(webhook.ref);
      return true;
    });
    return removed ?? false;
  }

  /** Sends one event to one webhook, whatever it subscribes to, in one attempt. @returns the delivery */
  sendTest(id: string, event: ServiceEvent, now: number): Promise<Delivery | undefined> {
    return this.#withWebhook(id, now, (webhook) => {
      const deliveryId = this.#parts.events.deliverOnce(webhook, event, now);
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
    const webhook = this.#parts.webhooks.find(id);
    return webhook && this.#parts.deliveries.list(webhook, status, after, limit);
  }

  /** A delivery with its body and the log of its attempts. */
  getDelivery(id: string, deliveryId: string): DeliveryWithAttempts | undefined {
    const webhook = this.#parts.webhooks.find(id);
    return webhook && this.#parts.deliveries.get(webhook, deliveryId);
  }

  /** Makes a failed or skipped delivery due once more. @returns the delivery, or the reason that prevents it */
  replay(id: string, deliveryId: string, now: number): Promise<Delivery | ReplayProblem | undefined> {
    return this.#withWebhook(id, now, (webhook) => {
      const row = this.#parts.deliveries.find(webhook.ref, deliveryId);
      if (row === undefined) return undefined;
      if (row.status === "pending" || row.status === "succeeded") return row.status;
      if (!hasBody(row)) return "erased";
      if (webhook.status === "paused") return webhook.status;
      this.#parts.deliveries.replay(deliveryId, now);
      this.#markEnqueued([webhook], now);
      return this.#presentDelivery(webhook, deliveryId);
    });
  }

  /** Leases due attempts of a webhook to the caller, which makes them. Undefined when there is no such webhook. */
  claim(id: string, now: number): Promise<Claim | undefined> {
    return this.#withWebhook(id, now, (webhook) => this.#parts.dispatch.claim(webhook, now));
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
      this.#parts.dispatch.settle(webhook, deliveryId, attempt, outcome, now),
    );
  }

  /** Does what is scheduled, and enqueues webhooks with deliveries due or overdue. */
  override async alarm(): Promise<void> {
    const now = this.#parts.alarm.fired(Date.now());
    const due = await this.#transact(now, () => this.#markEnqueued(this.#parts.schedule.run(now), now));
    if (due.length === 0) return;
    const workspaceId = this.ctx.storage.kv.get<string>("workspace_id") ?? "";
    const messages = due.map((webhookId): { body: DueDeliveries } => ({ body: { workspaceId, webhookId } }));
    await this.env.DELIVERIES.sendBatch(messages);
  }

  /** Runs a change of one webhook in a transaction. Undefined when there is no such webhook. */
  async #withWebhook<T>(id: string, now: number, change: (webhook: WebhookRow) => T): Promise<T | undefined> {
    const webhook = this.#parts.webhooks.find(id);
    return webhook && this.#transact(now, () => change(webhook));
  }

  /** Runs a change in a transaction, then sets the alarm for the state after it. */
  async #transact<T>(now: number, change: () => T): Promise<T> {
    const result = this.ctx.storage.transactionSync(change);
    const at = this.#parts.schedule.nextAt();
    await this.#parts.alarm.set(at === null ? null : Math.max(now, at));
    return result;
  }

  /** Records that the caller is about to enqueue these webhooks. @returns their ids */
  #markEnqueued(webhooks: readonly WebhookRow[], now: number): string[] {
    for (const { ref } of webhooks) this.#parts.webhooks.setLastEnqueued(ref, now);
    return webhooks.map(({ id }) => id);
  }

  #presentDelivery(webhook: WebhookRow, deliveryId: string): Delivery | undefined {
    const row = this.#parts.deliveries.find(webhook.ref, deliveryId);
    return row && presentDelivery(row, webhook.backoff_until);
  }
}
