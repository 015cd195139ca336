import type { DeliveryMode, EventKind, WebhookStatus } from "../../contract/resources/enums.ts";
import type { Webhook } from "../../contract/resources/webhooks.ts";

/** A webhook as it is registered. `secret` is sealed: the ledger can't read it. */
export interface NewWebhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventKind[];
  readonly scopeQrId: string | null;
  readonly scopePageId: string | null;
  readonly mode: DeliveryMode;
  readonly secret: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: readonly EventKind[] | undefined;
  readonly mode?: DeliveryMode | undefined;
}

export type WebhookRow = {
  ref: number;
  id: string;
  url: string;
  events: string;
  scope_qr_id: string | null;
  scope_page_id: string | null;
  mode: DeliveryMode;
  status: WebhookStatus;
  paused_reason: string | null;
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  created_at: number;
  exhausted: number;
  timeouts: number;
  put_off_until: number;
  told_at: number;
  batch_closes_at: number | null;
};

/** Who wants to hear what: the workspace's webhooks. */
export class LedgerWebhooks {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** @param cap webhooks the plan allows @returns undefined when there are as many already */
  create(webhook: NewWebhook, cap: number): Webhook | undefined {
    if (this.count() >= cap) return undefined;
    this.#sql.exec(
      `INSERT INTO webhooks (id, url, events, scope_qr_id, scope_page_id, mode, secret, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      webhook.id,
      webhook.url,
      JSON.stringify(webhook.events),
      webhook.scopeQrId,
      webhook.scopePageId,
      webhook.mode,
      webhook.secret,
      webhook.createdAt,
    );
    return this.get(webhook.id);
  }

  count(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhooks").one().n;
  }

  list(): Webhook[] {
    return this.rows().map(presentWebhook);
  }

  rows(): WebhookRow[] {
    return this.#sql.exec<WebhookRow>("SELECT * FROM webhooks ORDER BY id").toArray();
  }

  get(id: string): Webhook | undefined {
    const row = this.find(id);
    return row && presentWebhook(row);
  }

  find(id: string): WebhookRow | undefined {
    return this.#sql.exec<WebhookRow>("SELECT * FROM webhooks WHERE id = ?", id).toArray()[0];
  }

  change(ref: number, { url, events, mode }: WebhookChanges): void {
    this.#sql.exec(
      "UPDATE webhooks SET url = coalesce(?, url), events = coalesce(?, events), mode = coalesce(?, mode) WHERE ref = ?",
      url ?? null,
      events === undefined ? null : JSON.stringify(events),
      mode ?? null,
      ref,
    );
  }

  setStatus(ref: number, status: WebhookStatus, reason: string | null): void {
    this.#sql.exec(
      `UPDATE webhooks SET status = ?, paused_reason = ?, exhausted = iif(? = 'active', 0, exhausted), timeouts = 0,
         put_off_until = 0 WHERE ref = ?`,
      status,
      reason,
      status,
      ref,
    );
  }

  /** A new secret signs from now on, the one before it until `graceEnd` too. */
  rotate(ref: number, secret: string, graceEnd: number): void {
    this.#sql.exec(
      "UPDATE webhooks SET old_secret = secret, old_secret_until = ?, secret = ? WHERE ref = ?",
      graceEnd,
      secret,
      ref,
    );
  }

  /** Removes the webhook with all that was for it. */
  remove(ref: number): void {
    this.#sql.exec(
      "DELETE FROM attempts WHERE delivery IN (SELECT id FROM deliveries WHERE webhook = ?)",
      ref,
    );
    this.#sql.exec("DELETE FROM deliveries WHERE webhook = ?", ref);
    this.#sql.exec("DELETE FROM batch_events WHERE webhook = ?", ref);
    this.#sql.exec("DELETE FROM webhooks WHERE ref = ?", ref);
  }

  /** Notes how the receiver did. @param putOffUntil no attempt before, epoch milliseconds */
  noteHealth(ref: number, timeouts: number, putOffUntil: number): void {
    this.#sql.exec(
      "UPDATE webhooks SET timeouts = ?, put_off_until = ? WHERE ref = ?",
      timeouts,
      putOffUntil,
      ref,
    );
  }

  noteExhausted(ref: number, inARow: number): void {
    this.#sql.exec("UPDATE webhooks SET exhausted = ? WHERE ref = ?", inARow, ref);
  }

  noteTold(ref: number, now: number): void {
    this.#sql.exec("UPDATE webhooks SET told_at = ? WHERE ref = ?", now, ref);
  }

  /** @param at when the batch that is gathered closes; null when none is */
  noteBatch(ref: number, at: number | null): void {
    this.#sql.exec("UPDATE webhooks SET batch_closes_at = ? WHERE ref = ?", at, ref);
  }
}

function presentWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as EventKind[],
    scopeQrId: row.scope_qr_id,
    scopePageId: row.scope_page_id,
    mode: row.mode,
    status: row.status,
    pausedReason: row.paused_reason,
    consecutiveFailures: row.exhausted,
    createdAt: new Date(row.created_at).toISOString(),
  };
}
