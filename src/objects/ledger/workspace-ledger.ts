import type { DeliveryStatus, EventKind } from "../../contract/resources/enums.ts";
import type { Submission } from "../../contract/resources/pages.ts";
import type { Replay, ReplayPreview } from "../../contract/resources/webhooks/replays.ts";
import type { Delivery, DeliveryWithAttempts, Webhook } from "../../contract/resources/webhooks/webhooks.ts";
import { changesBetween } from "../../lib/changes.ts";
import type { AlertCommand, AlertResult } from "../../protocol/alerts.ts";
import type {
  AnalyticsRequest,
  AnalyticsResult,
  CodeScans,
  RecentScans,
  ReportingChanges,
  ReportingStatus,
} from "../../protocol/analytics.ts";
import type { ServiceEvent } from "../../protocol/events.ts";
import {
  type HistoryEntry,
  type HistoryFilter,
  type HistoryPage,
  serviceActor,
  type WorkspaceActor,
} from "../../protocol/history.ts";
import type { DueDeliveries, ScanBatch } from "../../protocol/messages.ts";
import type { ReplaySelection } from "../../protocol/replays.ts";
import { webhookRules } from "../../protocol/webhook-rules.ts";
import type {
  AttemptOutcome,
  Claim,
  ClosedCode,
  ClosedCountPage,
  ClosedPosition,
  DomainVisitCounts,
  ErasedScans,
  ErasedSubmissions,
  ExportPage,
  ExportRange,
  ExportRequest,
  ExportSources,
  LedgerNotices,
  LedgerStorage,
  NewSubmission,
  NewWebhook,
  PageActor,
  Received,
  ReplayProblem,
  ScanErasure,
  ScanFilter,
  ScanPage,
  SecretReplacement,
  SubmissionPage,
  SubmissionResult,
  WebhookChanges,
  WorkspaceLedgerMethods,
} from "../../protocol/workspace-ledger.ts";
import { LedgerObject } from "./ledger-object.ts";
import { submittedEvent } from "./submissions/submissions.ts";
import { encryptedOf } from "./webhooks/dispatch.ts";
import type { WebhookRow } from "./webhooks/webhooks.ts";

/**
 * One workspace's scans, submissions, webhooks, deliveries and history. Every workspace has its own object, and so its own 10 GB
 * and its own writer: a flood of scans in one workspace never slows down another. Webhooks are stored next to their
 * deliveries, so that an event, a failure or a pause changes both in one transaction. Times are the caller's clock,
 * epoch milliseconds.
 */
export class WorkspaceLedger extends LedgerObject implements WorkspaceLedgerMethods {
  /** Opens a live connection. `liveRequest` builds the request. */
  override fetch(request: Request): Response {
    return this.parts.live.connect(request);
  }

  /** Completes the closing handshake of a live connection. */
  override webSocketClose(socket: WebSocket): void {
    socket.close();
  }

  /**
   * Stores scans, all or none, and the deliveries they cause. Ignores scans that are already stored (same id).
   * @returns ids of webhooks with deliveries due
   */
  async recordScans(batches: readonly ScanBatch[], now: number): Promise<string[]> {
    if (this.isErased) return [];
    const { recording, live, restore, transactions } = this.parts;
    restore.throwIfUnfinished();
    const { due } = await transactions.runFrequent(
      now,
      () => recording.record(batches, this.ctx.id.name, now),
      ({ call }) => live.announce(call, now),
    );
    return due;
  }

  /**
   * Returns statistics and a page of scans of one code. Costs the same for a hundred scans as for a million. Reads a row for
   * each day on which the code was scanned without a target.
   */
  listScans(qrId: string, limit: number, filter?: ScanFilter): ScanPage {
    const { closedScans, scanList, recentScans } = this.parts;
    const page = scanList.page(qrId, limit, filter);
    return { ...page, closed: closedScans.of(qrId), latest: recentScans.latest };
  }

  /** Counts the human scans of all codes, including deleted ones. Reads one row per code. */
  countScans(): number {
    return this.parts.scans.count();
  }

  /**
   * Erases a code's scans up to now, with or without their sums. They are no longer shown or counted from then on; the
   * alarm removes them. Reads and writes rows in proportion to the code's days.
   */
  async eraseScans(erasure: ScanErasure, now: number, actor = serviceActor): Promise<void> {
    const { history, scanEraser, scans, transactions } = this.parts;
    const { qrId, hash, name = hash, sums } = erasure;
    const erase = () => {
      scanEraser.begin(erasure, now);
      const object = { kind: "code", id: qrId, name } as const;
      history.record({ action: "code.scans_erased", actor, object, changes: { sums: [null, sums] } }, now);
    };
    // Later scans refer to the code by its new reference.
    await transactions.run(now, erase, () => scans.clearMemory());
  }

  /** Returns which scans of codes were erased, at least as raw scans. Omits codes without erasures. */
  erasedScans(qrIds: readonly string[]): ErasedScans[] {
    return this.parts.scanErasures.of(qrIds);
  }

  /** Returns the codes that were scanned without a target on the last days, the most scanned first. */
  closedCodes(days: number, limit: number, now: number): ClosedCode[] {
    return this.parts.closedScans.recent(days, limit, now);
  }

  /** Returns counts of scans without a target, by code, reason and day. Reads one row for each. */
  closedCounts(after: ClosedPosition | null, limit: number): ClosedCountPage {
    return this.parts.closedScans.page(after, limit);
  }

  /** Returns the visits of a domain's own address, in total and by day. Reads one row per day. */
  domainVisits(host: string, days: number, now: number): DomainVisitCounts {
    return this.parts.closedScans.visitsOf(host, days, now);
  }

  /** Returns where the scans of an export are stored. */
  exportSources(range: ExportRange, now: number): ExportSources {
    return this.parts.export.sources(range, now);
  }

  /** Returns one page of scans, oldest first, rendered for the export. */
  exportPage(request: ExportRequest): ExportPage {
    return this.parts.export.page(request);
  }

  /** Begins an export under a lease. @param id of the lease @returns false at the limit of exports */
  acquireExport(id: string, now: number): boolean {
    return this.parts.exportLeases.acquire(id, now);
  }

  renewExport(id: string, now: number): void {
    this.parts.exportLeases.renew(id, now);
  }

  releaseExport(id: string, now: number): void {
    this.parts.exportLeases.release(id, now);
  }

  /** Computes a report on scans, or returns why it can't. Reads rows in proportion to days and distinct values. */
  analytics(request: AnalyticsRequest, now: number): AnalyticsResult {
    return this.parts.report.compute(request, now);
  }

  /** Returns the scans of single codes, in total and by day, and the last one, for a list of codes. Reads one row per code and day. */
  sparklines(qrIds: readonly string[], days: number, now: number): CodeScans[] {
    return this.parts.sparklines.compute(qrIds, days, now);
  }

  /** Returns the activity that a code's page shows besides its report. Reads one row per day. */
  codeActivity(qrId: string, days: number, now: number): RecentScans {
    const { closedScans, sparklines, scanList, recentScans } = this.parts;
    const [recent] = sparklines.compute([qrId], days, now);
    const closed = closedScans.of(qrId);
    return { days: recent?.days ?? [], latest: recentScans.latest, ...scanList.last(qrId), closed };
  }

  /** Returns how scans are reported and kept. */
  reportingStatus(): ReportingStatus {
    return this.parts.reporting.state;
  }

  /** Changes how scans are reported and kept. */
  changeReporting(
    changes: ReportingChanges,
    now: number,
    { actor, workspaceName }: WorkspaceActor = { actor: serviceActor, workspaceName: null },
  ): Promise<ReportingStatus> {
    const { history, reporting, transactions, workspaceId } = this.parts;
    return transactions.run(now, () => {
      const before = reporting.chosen;
      reporting.change(changes);
      const changed = changesBetween(before, reporting.chosen);
      const object = { kind: "workspace", id: workspaceId, name: workspaceName } as const;
      if (Object.keys(changed).length > 0)
        history.record({ action: "workspace.updated", actor, object, changes: changed }, now);
      return reporting.state;
    });
  }

  /**
   * Stores a submission and the deliveries it causes. A repeated post changes nothing.
   * @throws if the ledger is full
   */
  submit(submission: NewSubmission, now: number): Promise<SubmissionResult> {
    return this.parts.transactions.run(now, () => {
      this.parts.capacity.throwIfFull();
      const outcome = this.parts.submissions.add(submission, now);
      const events = outcome === "stored" ? [submittedEvent(submission)] : [];
      const due = this.parts.webhooks.markEnqueued(this.parts.events.emit(events, now), now);
      return { outcome, full: this.parts.submissions.isFull(submission.pageId), due };
    });
  }

  /**
   * Returns a page's submissions in the given order: at most `limit`, after the id `after`, optionally only those with
   * an answer that contains a text.
   */
  listSubmissions(
    pageId: string,
    order: "oldest" | "newest",
    after: string | null,
    limit: number,
    contains: string | null = null,
  ): SubmissionPage {
    return this.parts.submissions.list(pageId, order, after, limit, contains);
  }

  /** Returns one submission of a page. */
  getSubmission(pageId: string, id: string): Submission | undefined {
    return this.parts.submissions.find(pageId, id);
  }

  /** Counts the submissions of each page. */
  countSubmissions(pageIds: readonly string[]): number[] {
    return pageIds.map((id) => this.parts.submissions.count(id));
  }

  /** Counts a page's submissions by day. @param starts of the days, epoch milliseconds in order */
  submissionsByDay(pageId: string, starts: readonly number[]): number[] {
    return this.parts.submissions.byDay(pageId, starts);
  }

  /** Returns the names of all fields that a page's submissions ever had. */
  submissionFields(pageId: string): string[] {
    return this.parts.submissions.fieldNames(pageId);
  }

  /** Erases submissions, and their data in deliveries. @returns how many, and `next` as in a list */
  eraseSubmissions(
    pageId: string,
    which: ErasedSubmissions,
    now: number,
    by: PageActor = { actor: serviceActor, pageTitle: null },
  ) {
    const { transactions, submissionErasure } = this.parts;
    return transactions.run(now, () => submissionErasure.erase(pageId, which, by, now));
  }

  /** Registers a webhook. @param cap webhooks the plan allows @returns undefined if the cap is reached */
  createWebhook(webhook: NewWebhook, cap: number, actor = serviceActor): Promise<Webhook | undefined> {
    const { transactions, webhookHistory, webhooks } = this.parts;
    return transactions.run(webhook.createdAt, () => {
      const created = webhooks.create(webhook, cap);
      if (created !== undefined) webhookHistory.created(created, actor, webhook.createdAt);
      return created;
    });
  }

  /** Returns all webhooks, oldest first. */
  listWebhooks(): Webhook[] {
    return this.parts.webhooks.list();
  }

  /** Returns one webhook, without its secret. */
  getWebhook(id: string): Webhook | undefined {
    return this.parts.webhooks.get(id);
  }

  /** Changes, pauses or resumes a webhook. @returns the changed webhook; undefined if there is none with this id */
  changeWebhook(
    id: string,
    changes: WebhookChanges,
    now: number,
    actor = serviceActor,
  ): Promise<Webhook | undefined> {
    return this.#changeWebhook(id, now, (webhook) => {
      this.parts.dispatch.change(webhook, changes, now);
      this.parts.webhookHistory.changed(webhook, actor, now);
      return this.parts.webhooks.get(id);
    });
  }

  /** Pauses all webhooks. Their pending deliveries are skipped. */
  pauseWebhooks(reason: string, now: number): Promise<void> {
    const { dispatch, transactions } = this.parts;
    return transactions.run(now, () => dispatch.pauseAll(reason, now));
  }

  /** Replaces a webhook's secret. @param secret encrypted @returns whether the webhook exists */
  async rotateSecret(id: string, secret: string, now: number, actor = serviceActor): Promise<boolean> {
    const rotated = await this.#changeWebhook(id, now, (webhook) => {
      this.parts.webhooks.rotate(webhook.ref, secret, now + webhookRules.secretGracePeriod);
      this.parts.webhookHistory.record("webhook.rotated", webhook, actor, now);
      return true;
    });
    return rotated ?? false;
  }

  /** Returns all that is encrypted of webhooks: secrets, with previous ones in their grace period, and header values. */
  webhookSecrets(now: number): string[] {
    return this.parts.webhooks.rows().flatMap((webhook) => encryptedOf(webhook, now));
  }

  /** Replaces encrypted secrets. A webhook whose secret has changed meanwhile keeps it. */
  replaceWebhookSecrets(replacements: readonly SecretReplacement[]): void {
    this.parts.webhooks.replaceSecrets(replacements);
  }

  /** Deletes a webhook and its deliveries. @returns whether it existed */
  async deleteWebhook(id: string, now: number, actor = serviceActor): Promise<boolean> {
    const removed = await this.#changeWebhook(id, now, (webhook) => {
      this.parts.webhooks.remove(webhook.ref);
      this.parts.webhookHistory.record("webhook.deleted", webhook, actor, now);
      return true;
    });
    return removed ?? false;
  }

  /** Returns the kinds of events that would still be sent to a webhook's URL without any new event. */
  listUnsentEvents(id: string): EventKind[] {
    return this.parts.deliveries.unsentEvents(id);
  }

  /** Sends one event to one webhook in a single attempt, whatever it subscribes to. @returns the delivery */
  sendTest(id: string, event: ServiceEvent, now: number): Promise<Delivery | undefined> {
    return this.#changeWebhook(id, now, (webhook) => {
      const { events, deliveries, webhooks } = this.parts;
      const deliveryId = events.deliverOnce(webhook, event, now);
      webhooks.markEnqueued([webhook], now);
      return deliveries.summary(webhook, deliveryId);
    });
  }

  /**
   * Turns events into deliveries, and adds entries to the history. Ignores those that it received before.
   * @returns webhooks with deliveries due
   * @throws if the ledger is full; everything then stays in the outbox
   */
  receive({ events, entries = [], erased = [] }: Received, now: number): Promise<string[]> {
    const { capacity, history, transactions, webhooks } = this.parts;
    return transactions.run(now, () => {
      capacity.throwIfFull();
      history.add(entries, now);
      for (const object of erased) history.erase(object);
      return webhooks.markEnqueued(this.parts.events.emit(events, now), now);
    });
  }

  /** Turns events into deliveries. @returns as `receive` */
  emit(events: readonly ServiceEvent[], now: number): Promise<string[]> {
    return this.receive({ events }, now);
  }

  /** Returns entries of the history, newest first, after the id `after`. */
  listHistory(filter: HistoryFilter, after: string | null, limit: number): HistoryPage {
    return this.parts.history.list(filter, after, limit);
  }

  /** Returns the entries of a bulk job about some objects. */
  listJobHistory(jobId: string, objectIds: readonly string[]): HistoryEntry[] {
    return this.parts.history.ofJob(jobId, objectIds);
  }

  /** Returns the last deletion of each of some objects. */
  listDeletions(objectIds: readonly string[]): HistoryEntry[] {
    return this.parts.history.deletions(objectIds);
  }

  /** Returns one entry of the history. */
  findHistory(id: string): HistoryEntry | undefined {
    return this.parts.history.find(id);
  }

  /**
   * Returns a webhook's deliveries, newest first, after the id `after` and back to `since`; undefined if there is no
   * such webhook.
   */
  listDeliveries(
    id: string,
    status: DeliveryStatus | null,
    after: string | null,
    limit: number,
    since: string | null = null,
    events: readonly EventKind[] | null = null,
  ): Delivery[] | undefined {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.deliveries.list(webhook, { status, after, since, events }, limit);
  }

  /** Returns a delivery with its body and its attempts. */
  getDelivery(id: string, deliveryId: string): DeliveryWithAttempts | undefined {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.deliveries.get(webhook, deliveryId);
  }

  /** Makes a failed or skipped delivery due again. @returns the delivery, or the reason it can't be sent again */
  replay(id: string, deliveryId: string, now: number): Promise<Delivery | ReplayProblem | undefined> {
    return this.#changeWebhook(id, now, (webhook) => {
      const replayed = this.parts.deliveries.replayOne(webhook, deliveryId, now);
      if (typeof replayed === "object") this.parts.webhooks.markEnqueued([webhook], now);
      return replayed;
    });
  }

  /** Leases a webhook's due attempts to the caller, which makes them. Undefined if there is no such webhook, and while a restored ledger holds deliveries. */
  async claim(id: string, now: number): Promise<Claim | undefined> {
    const { webhooks, transactions, dispatch, restore } = this.parts;
    const webhook = webhooks.findReceiver(id);
    if (webhook === undefined || restore.holdsDeliveries) return undefined;
    return transactions.runFrequent(now, () => dispatch.claim(webhook, now));
  }

  /** Records the outcome of a claimed attempt. */
  async settle(
    id: string,
    deliveryId: string,
    attempt: number,
    outcome: AttemptOutcome,
    now: number,
  ): Promise<void> {
    const { webhooks, transactions, dispatch } = this.parts;
    const webhook = webhooks.findReceiver(id);
    if (webhook === undefined) return;
    await transactions.runFrequent(now, () => dispatch.settle(webhook, deliveryId, attempt, outcome, now));
  }

  /** Reads, changes or uses the workspace's address for alerts. */
  alerts(command: AlertCommand, now: number): Promise<AlertResult> {
    return this.parts.transactions.run(now, () => this.parts.alerts.run(command, now));
  }

  /** Counts the deliveries of a webhook that a replay would include. */
  countReplay(id: string, selection: ReplaySelection, now: number): ReplayPreview | undefined {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.replays.count(webhook, selection, now);
  }

  /** Starts to replay a webhook's failed deliveries. @returns the replay, or the reason it can't start */
  startReplay(id: string, selection: ReplaySelection, now: number) {
    return this.#changeWebhook(id, now, (webhook) => {
      if (webhook.status === "paused") return webhook.status;
      const replay = this.parts.replays.start(webhook, selection, now);
      this.parts.webhooks.markEnqueued([webhook], now);
      return replay;
    });
  }

  /** Returns a webhook's replays, newest first. */
  listReplays(id: string): Replay[] | undefined {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.replays.list(webhook);
  }

  /** Stops a replay. Deliveries that it has already made due are still sent. */
  stopReplay(id: string, replayId: string, now: number): Promise<Replay | undefined> {
    return this.#changeWebhook(id, now, (webhook) => this.parts.replays.stopOne(webhook, replayId, now));
  }

  /** Returns how full the ledger is. */
  storage(): LedgerStorage {
    const { capacity, archiveFiles, scanErasures } = this.parts;
    return { ...capacity.storage, archive: archiveFiles.summary, erasures: scanErasures.count };
  }

  /** Returns the conditions that the owner gets a notice of. @param limit how many webhooks to list */
  notices(limit: number): LedgerNotices {
    const { webhooks, capacity, history, reporting } = this.parts;
    const { timeZone, rebuilding } = reporting.state;
    const [storage, historyUnusualAt] = [capacity.storage.status, history.unusualAt];
    return { timeZone, ...webhooks.notices(limit), storage, rebuilding, historyUnusualAt };
  }

  /**
   * Copies the totals of codes to the catalogue that are due today, a part of them if there are many.
   * @returns whether the catalogue took them
   */
  async copyTotals(now: number): Promise<boolean> {
    const { transactions, totalCopies } = this.parts;
    await transactions.run(now, () => totalCopies.hasten(now));
    await totalCopies.run(now, (change) => transactions.run(now, change), this.env.DB);
    return !totalCopies.isRefused;
  }

  /** Does the scheduled work, and enqueues webhooks with deliveries due or overdue. */
  override async alarm(): Promise<void> {
    const now = this.parts.alarm.fired(Date.now());
    const { transactions, webhooks, schedule, maintenance, totalCopies, workspaceId } = this.parts;
    const due = await transactions.run(now, () => webhooks.markEnqueued(schedule.run(now), now));
    const bodies = due.map((webhookId): DueDeliveries => ({ workspaceId, webhookId }));
    if (due.length > 0) await this.env.DELIVERIES.sendBatch(bodies.map((body) => ({ body })));
    const transact = <T>(change: () => T) => transactions.run(now, change);
    await maintenance.runWithFiles(now, transact);
    await totalCopies.run(now, transact, this.env.DB);
    await transactions.setAlarm(now);
  }

  /** Changes a webhook in a transaction. Returns undefined if there is none with this id. */
  async #changeWebhook<T>(id: string, now: number, run: (row: WebhookRow) => T): Promise<T | undefined> {
    const webhook = this.parts.webhooks.find(id);
    return webhook && this.parts.transactions.run(now, () => run(webhook));
  }
}
