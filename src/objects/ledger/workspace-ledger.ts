import { DurableObject } from "cloudflare:workers";
import type { DeliveryStatus } from "../../contract/resources/enums.ts";
import type { ServiceEvent } from "../../protocol/events.ts";
import type { DueDeliveries, ScanRecord } from "../../protocol/messages.ts";
import type { Submission } from "../../contract/resources/pages.ts";
import type { ScanListResponse } from "../../contract/resources/scans.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import type { Delivery, DeliveryWithAttempts, Webhook } from "../../contract/resources/webhooks.ts";
import { scannedEvent, submittedEvent } from "./event-data.ts";
import { LedgerDeliveries, presentDelivery } from "./deliveries.ts";
import type { AttemptOutcome } from "../../protocol/workspace-ledger.ts";
import { LedgerDispatch, type Work } from "./dispatch.ts";
import { LedgerEvents } from "./events.ts";
import { LedgerExport } from "./export.ts";
import type { ExportPage, ExportRequest } from "../../protocol/workspace-ledger.ts";
import { LedgerScans } from "./scans.ts";
import { ledgerSchema, submissionSchema, webhookSchema } from "./schema.ts";
import { LedgerSubmissions } from "./submissions.ts";
import type { NewSubmission } from "../../protocol/workspace-ledger.ts";
import { LedgerWebhooks, type WebhookRow } from "./webhooks.ts";
import type { NewWebhook, WebhookChanges } from "../../protocol/workspace-ledger.ts";

/**
 * One workspace's scans, what was sent with its forms, its webhooks and their deliveries. Every workspace has its own
 * object, hence its own 10 GB and its own writer: a flood of scans in one never slows another. Times are the caller's
 * clock, epoch milliseconds.
 */
export class WorkspaceLedger extends DurableObject<Env> {
  readonly #scans: LedgerScans;
  readonly #export: LedgerExport;
  readonly #submissions: LedgerSubmissions;
  readonly #webhooks: LedgerWebhooks;
  readonly #deliveries: LedgerDeliveries;
  readonly #events: LedgerEvents;
  readonly #dispatch: LedgerDispatch;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    sql.exec(ledgerSchema);
    sql.exec(submissionSchema);
    sql.exec(webhookSchema);
    this.#scans = new LedgerScans(sql);
    this.#export = new LedgerExport(sql);
    this.#submissions = new LedgerSubmissions(sql);
    this.#webhooks = new LedgerWebhooks(sql);
    this.#deliveries = new LedgerDeliveries(sql);
    this.#events = new LedgerEvents(sql, this.#webhooks);
    this.#dispatch = new LedgerDispatch(this.#webhooks, this.#deliveries, this.#events);
  }

  /**
   * Writes scans down, all or none, with the deliveries they cause. A scan that is there already (same id) changes
   * nothing.
   * @returns ids of webhooks that have deliveries due
   */
  async record(scans: readonly ScanRecord[], now: number): Promise<string[]> {
    try {
      return await this.#change(now, () => {
        const recorded = this.#scans.record(scans);
        const listened = this.#events.listeners("qr.scanned").length > 0;
        return listened ? this.#tell(this.#events.emit(recorded.map(scannedEvent), now), now) : [];
      });
    } catch (error) {
      this.#scans.forget();
      throw error;
    }
  }

  /** Statistics and the newest scans of one code. Costs the same at a hundred scans and at a million. */
  scansOf(qrId: string, limit: number): ScanListResponse {
    return this.#scans.of(qrId, limit);
  }

  /** Scans in all, of every code there ever was. Reads one row a code. */
  scanCount(): number {
    return this.#scans.count();
  }

  /** One page of scans, oldest first, rendered for the export. */
  exportPage(request: ExportRequest): ExportPage {
    return this.#export.page(request);
  }

  /**
   * Writes a submission down, with the deliveries it causes. One that was posted before changes nothing.
   * @returns ids of webhooks that have deliveries due
   */
  submit(submission: NewSubmission, now: number): Promise<string[]> {
    return this.#change(now, () => {
      if (!this.#submissions.add(submission)) return [];
      return this.#tell(this.#events.emit([submittedEvent(submission)], now), now);
    });
  }

  /** A page's submissions after the id `from`, in this order. */
  listSubmissions(
    pageId: string,
    order: "oldest" | "newest",
    from: string | null,
    limit: number,
  ): Submission[] {
    return this.#submissions.list(pageId, order, from, limit);
  }

  /** Names of all fields that a page's submissions ever had. */
  submissionFields(pageId: string): string[] {
    return this.#submissions.fieldNames(pageId);
  }

  /** @returns whether there was one */
  deleteSubmission(pageId: string, id: string): boolean {
    return this.#submissions.remove(pageId, id);
  }

  /** Turns events into deliveries; one that was told before changes nothing. @returns ids of webhooks with some due */
  emit(events: readonly ServiceEvent[], now: number): Promise<string[]> {
    return this.#change(now, () => this.#tell(this.#events.emit(events, now), now));
  }

  /** @param cap webhooks the plan allows @returns undefined when there are as many already */
  createWebhook(webhook: NewWebhook, cap: number): Webhook | undefined {
    // An alarm is not told whose it is.
    this.ctx.storage.kv.put("workspace_id", this.ctx.id.name);
    return this.#webhooks.create(webhook, cap);
  }

  listWebhooks(): Webhook[] {
    return this.#webhooks.list();
  }

  getWebhook(id: string): Webhook | undefined {
    return this.#webhooks.get(id);
  }

  /** Changes, pauses or resumes a webhook. @returns it as it is now; undefined when there is none */
  changeWebhook(
    id: string,
    { status, ...changes }: WebhookChanges & { readonly status?: Webhook["status"] | undefined },
    now: number,
  ): Promise<Webhook | undefined> {
    return this.#ofWebhook(id, now, (webhook) => {
      // What was gathered is sent as it was gathered.
      if (changes.mode === "realtime" && webhook.mode !== "realtime") this.#events.freeze(webhook, now);
      this.#webhooks.change(webhook.ref, changes);
      if (status === "paused" && webhook.status === "active")
        this.#dispatch.pause(webhook, "Paused by hand", now);
      if (status === "active" && webhook.status === "paused")
        this.#webhooks.setStatus(webhook.ref, "active", null);
      return this.#webhooks.get(id);
    });
  }

  /** @param secret sealed @returns whether there is such a webhook */
  async rotateSecret(id: string, secret: string, now: number): Promise<boolean> {
    const rotated = await this.#ofWebhook(id, now, (webhook) => {
      this.#webhooks.rotate(webhook.ref, secret, now + webhookRules.secretGrace);
      return true;
    });
    return rotated ?? false;
  }

  /** Removes a webhook with its deliveries. @returns whether there was one */
  async deleteWebhook(id: string, now: number): Promise<boolean> {
    const removed = await this.#ofWebhook(id, now, (webhook) => {
      this.#webhooks.remove(webhook.ref);
      return true;
    });
    return removed ?? false;
  }

  /** Sends one event to one webhook, whatever it listens to; tried once. @returns the delivery */
  sendTest(id: string, event: ServiceEvent, now: number): Promise<Delivery | undefined> {
    return this.#ofWebhook(id, now, (webhook) => {
      const delivery = this.#events.deliverOnce(webhook, event, now);
      this.#tell([webhook], now);
      return this.#present(webhook, delivery);
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

  getDelivery(id: string, deliveryId: string): DeliveryWithAttempts | undefined {
    const webhook = this.#webhooks.find(id);
    return webhook && this.#deliveries.get(webhook, deliveryId);
  }

  /** One more attempt for a delivery that failed or was skipped. @returns the delivery, or why it can't be */
  replay(
    id: string,
    deliveryId: string,
    now: number,
  ): Promise<Delivery | "paused" | "pending" | "succeeded" | undefined> {
    return this.#ofWebhook(id, now, (webhook) => {
      const row = this.#deliveries.find(webhook.ref, deliveryId);
      if (row === undefined) return undefined;
      if (row.status === "pending" || row.status === "succeeded") return row.status;
      if (webhook.status === "paused") return webhook.status;
      this.#deliveries.replay(deliveryId, now);
      this.#tell([webhook], now);
      return this.#present(webhook, deliveryId);
    });
  }

  /** Attempts of a webhook that are due, for the caller to make. Undefined when there is no such webhook any more. */
  claim(id: string, now: number): Promise<Work | undefined> {
    return this.#ofWebhook(id, now, (webhook) => this.#dispatch.claim(webhook, now));
  }

  /** Writes down how a claimed attempt went. */
  async settle(
    id: string,
    deliveryId: string,
    attempt: number,
    outcome: AttemptOutcome,
    now: number,
  ): Promise<void> {
    await this.#ofWebhook(id, now, (webhook) =>
      this.#dispatch.settle(webhook, deliveryId, attempt, outcome, now),
    );
  }

  /** Closes batches whose window is over, and tells the queue of what is due and of what got lost. */
  override async alarm(): Promise<void> {
    // The alarm's own time where the clock is behind it, so that it never finds nothing to do.
    const now = Math.max(Date.now(), this.ctx.storage.kv.get<number>("alarm_at") ?? 0);
    this.ctx.storage.kv.delete("alarm_at");
    const due = await this.#change(now, () => {
      for (const webhook of this.#webhooks.rows()) {
        if ((webhook.batch_closes_at ?? Number.POSITIVE_INFINITY) <= now) this.#events.freeze(webhook, now);
      }
      this.#deliveries.prune(now - webhookRules.kept);
      const ready = (webhook: WebhookRow) =>
        (this.#dispatch.tellAt(webhook) ?? Number.POSITIVE_INFINITY) <= now;
      return this.#tell(this.#webhooks.rows().filter(ready), now);
    });
    const workspaceId = this.ctx.storage.kv.get<string>("workspace_id") ?? "";
    const messages = due.map(
      (webhookId): MessageSendRequest<DueDeliveries> => ({
        body: { workspaceId, webhookId },
      }),
    );
    if (messages.length > 0) await this.env.DELIVERIES.sendBatch(messages);
  }

  /** Runs a change of one webhook; undefined when there is no such webhook. */
  async #ofWebhook<T>(id: string, now: number, change: (webhook: WebhookRow) => T): Promise<T | undefined> {
    const webhook = this.#webhooks.find(id);
    return webhook && this.#change(now, () => change(webhook));
  }

  /** Runs a change, all of it or nothing, and sets the alarm by what it left. */
  async #change<T>(now: number, change: () => T): Promise<T> {
    const result = this.ctx.storage.transactionSync(change);
    await this.#setAlarm(now);
    return result;
  }

  async #setAlarm(now: number): Promise<void> {
    const times = this.#webhooks
      .rows()
      .flatMap((webhook) => [this.#dispatch.tellAt(webhook) ?? [], webhook.batch_closes_at ?? []].flat());
    const known = this.ctx.storage.kv.get<number>("alarm_at") ?? null;
    const at = times.length === 0 ? null : Math.max(now, Math.min(...times));
    if (at === known) return;
    this.ctx.storage.kv.put("alarm_at", at);
    if (at === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(at);
  }

  #tell(webhooks: readonly WebhookRow[], now: number): string[] {
    for (const { ref } of webhooks) this.#webhooks.noteTold(ref, now);
    return webhooks.map(({ id }) => id);
  }

  #present(webhook: WebhookRow, deliveryId: string): Delivery | undefined {
    const row = this.#deliveries.find(webhook.ref, deliveryId);
    return row && presentDelivery(row, webhook.put_off_until);
  }
}
