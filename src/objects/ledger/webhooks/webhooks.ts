import type { DeliveryMode, EventKind, WebhookStatus } from "../../../contract/resources/enums.ts";
import type { Webhook } from "../../../contract/resources/webhooks/webhooks.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type {
  FailingWebhook,
  LedgerNotices,
  NewWebhook,
  PausedWebhook,
  SecretReplacement,
  StoredHeader,
  WebhookChanges,
} from "../../../protocol/workspace-ledger.ts";
import { LedgerPart } from "../part.ts";
import { isoTime } from "../times.ts";

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
  previous_secret: string | null;
  previous_secret_until: number | null;
  created_at: number;
  consecutive_failures: number;
  failed_attempts: number;
  backoff_step: number;
  probe: string | null;
  backoff_until: number;
  last_enqueued_at: number;
  batch_closes_at: number | null;
  ended_events: number;
  pending_events: number;
  open_events: number;
  open_bytes: number;
  key_id: string | null;
  headers: string | null;
};

/** The times that decide when a webhook needs attention, epoch milliseconds. */
export type WebhookTimes = Pick<
  WebhookRow,
  "ref" | "status" | "backoff_until" | "last_enqueued_at" | "batch_closes_at" | "ended_events"
> & {
  /**
   * For first attempts and retries: whether one was due when the webhook was last enqueued, and when the next one is.
   */
  first_overdue: number;
  first_due: number | null;
  retry_overdue: number;
  retry_due: number | null;
  /** When the oldest of its ended deliveries ended. */
  oldest_ended: number | null;
  is_replaying: number;
};

/** A webhook's use of its target host. */
export type HostUse = {
  ref: number;
  /** Attempts claimed but not settled yet. */
  in_flight: number;
  /** Whether there is something to claim. */
  is_waiting: number;
};

/** The events of the address for alerts, as stored: it subscribes to none, and each webhook to one at least. */
const noEvents = "[]";
const hasEvents = `events <> '${noEvents}'`;

/** The reason recorded when the owner pauses a webhook. */
export const pausedByHand = "Paused manually";

/** The recent success of a webhook's attempts. */
export interface WebhookHealth {
  /** Consecutive. */
  readonly failedAttempts: number;
  /** Consecutive backoffs; 0 while first attempts are not delayed. */
  readonly backoffStep: number;
  /** Epoch milliseconds. */
  readonly backoffUntil: number;
  /** The delivery whose first attempt probes the receiver after a backoff. */
  readonly probe: string | null;
}

/** Returns the kinds of events that a webhook subscribes to. */
export const subscriptionsOf = (row: WebhookRow): EventKind[] => JSON.parse(row.events) as EventKind[];

/** A webhook's own headers as they are stored, with the origin that they are for. */
interface HeadersOfOrigin {
  readonly origin: string;
  readonly headers: StoredHeader[];
}

/** Returns a webhook's own headers: none for another origin, which an older release may have given it. */
export function headersOf({ url, headers: json }: Pick<WebhookRow, "url" | "headers">): StoredHeader[] {
  if (json === null) return [];
  const { origin, headers } = JSON.parse(json) as HeadersOfOrigin;
  return origin === originOf(url) ? headers : [];
}

const headersJson = (url: string, headers: StoredHeader[]): string | null =>
  headers.length === 0 ? null : JSON.stringify({ origin: originOf(url), headers } satisfies HeadersOfOrigin);

/** Returns whether so many events are pending that further ones are skipped. */
export const isBacklogFull = (row: Pick<WebhookRow, "pending_events">): boolean =>
  row.pending_events >= bounds.pendingEvents;

/** The registry of a workspace's webhooks. Times are epoch milliseconds. */
export class LedgerWebhooks extends LedgerPart<{ sql: SqlStorage }> {
  /** Registers a webhook. @param cap webhooks the plan allows @returns undefined if the cap is reached */
  create(webhook: NewWebhook, cap: number): Webhook | undefined {
    if (this.count() >= cap) return undefined;
    this.insert(webhook);
    return this.get(webhook.id);
  }

  /** Stores a webhook, or an address for alerts, which has no events. */
  insert(webhook: NewWebhook): void {
    this.parts.sql.exec(
      `INSERT INTO webhooks (id, url, events, scope_qr_id, scope_page_id, mode, secret, created_at, key_id, headers)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      webhook.id,
      webhook.url,
      JSON.stringify(webhook.events),
      webhook.scopeQrId,
      webhook.scopePageId,
      webhook.mode,
      webhook.secret,
      webhook.createdAt,
      // Workers of the version before say none.
      webhook.keyId ?? null,
      headersJson(webhook.url, webhook.headers ?? []),
    );
  }

  count(): number {
    return this.parts.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM webhooks WHERE ${hasEvents}`).one()
      .n;
  }

  list(): Webhook[] {
    return this.rows()
      .filter(({ events }) => events !== noEvents)
      .map(presentWebhook);
  }

  /** Returns all receivers: the webhooks and the address for alerts. */
  rows(): WebhookRow[] {
    return this.parts.sql.exec<WebhookRow>("SELECT * FROM webhooks ORDER BY id").toArray();
  }

  /** Returns the times of all webhooks, in one statement, since every change of the ledger asks for them. */
  times(): WebhookTimes[] {
    return this.parts.sql.exec<WebhookTimes>(timesSql).toArray();
  }

  /** Returns how much the webhooks of a target host use it, regardless of port. */
  hostUses(host: string, now: number): HostUse[] {
    const refs = this.parts.sql
      .exec<{ ref: number; url: string }>("SELECT ref, url FROM webhooks")
      .toArray()
      .filter(({ url }) => hostOf(url) === host)
      .map(({ ref }) => ref);
    return this.parts.sql.exec<HostUse>(hostUsesSql, now, JSON.stringify(refs)).toArray();
  }

  /** Returns the webhooks that need a person. @param limit how many of the paused ones a notice names */
  notices(limit: number): Pick<LedgerNotices, "pausedWebhooks" | "waiting"> {
    const paused = this.#pausedByService();
    return { pausedWebhooks: paused.slice(0, limit), waiting: { paused, failing: this.#failing() } };
  }

  /** Returns webhooks paused because their deliveries failed, oldest first. */
  #pausedByService(): PausedWebhook[] {
    return this.parts.sql
      .exec<{ id: string; url: string; reason: string }>(
        `SELECT id, url, paused_reason AS reason FROM webhooks
         WHERE status = 'paused' AND paused_reason <> ? AND ${hasEvents} ORDER BY id`,
        pausedByHand,
      )
      .toArray();
  }

  /** Returns active webhooks with failed deliveries, except tests, oldest first. Reads one delivery of each. */
  #failing(): FailingWebhook[] {
    return this.parts.sql
      .exec<{ id: string; url: string; deliveryId: string }>(
        `SELECT w.id, w.url, d.id AS deliveryId FROM webhooks w CROSS JOIN deliveries d
         ON d.id = (SELECT id FROM deliveries WHERE webhook = w.ref AND status = 'failed' AND single_attempt = 0
           ORDER BY id DESC LIMIT 1)
         WHERE w.status = 'active' AND ${hasEvents} ORDER BY w.id`,
      )
      .toArray();
  }

  get(id: string): Webhook | undefined {
    const row = this.find(id);
    return row && presentWebhook(row);
  }

  find(id: string): WebhookRow | undefined {
    const row = this.findReceiver(id);
    return row?.events === noEvents ? undefined : row;
  }

  /** Returns a webhook or the address for alerts. */
  findReceiver(id: string): WebhookRow | undefined {
    return this.parts.sql.exec<WebhookRow>("SELECT * FROM webhooks WHERE id = ?", id).toArray()[0];
  }

  /** Returns the address for alerts. */
  alertAddress(): WebhookRow | undefined {
    return this.parts.sql.exec<WebhookRow>("SELECT * FROM webhooks WHERE events = ?", noEvents).toArray()[0];
  }

  /** Changes the given settings. `setStatus` changes the status. */
  change(row: WebhookRow, { url, keyId, events, mode, headers }: WebhookChanges): void {
    const stored = url === undefined || originOf(url) === originOf(row.url) ? headersOf(row) : [];
    const next = headers?.flatMap(({ name, value }) =>
      value === null ? stored.filter((each) => each.name === name) : [{ name, value }],
    );
    this.parts.sql.exec(
      `UPDATE webhooks SET key_id = iif(coalesce(?1, url) = url, key_id, ?2), url = coalesce(?1, url),
         events = coalesce(?3, events), mode = coalesce(?4, mode), headers = ?5
       WHERE ref = ?6`,
      url ?? null,
      keyId ?? null,
      events === undefined ? null : JSON.stringify(events),
      mode ?? null,
      headersJson(url ?? row.url, next ?? stored),
      row.ref,
    );
  }

  /** Sets the status and ends the backoff. A webhook that becomes active starts with no failures. */
  setStatus(ref: number, status: WebhookStatus, reason: string | null): void {
    this.parts.sql.exec(
      `UPDATE webhooks SET status = ?, paused_reason = ?, failed_attempts = 0, backoff_step = 0, backoff_until = 0, probe = NULL,
         consecutive_failures = iif(? = 'active', 0, consecutive_failures) WHERE ref = ?`,
      status,
      reason,
      status,
      ref,
    );
  }

  /** Replaces the secret. The previous one still signs until `graceEnd`. */
  rotate(ref: number, secret: string, graceEnd: number): void {
    this.parts.sql.exec(
      "UPDATE webhooks SET previous_secret = secret, previous_secret_until = ?, secret = ? WHERE ref = ?",
      graceEnd,
      secret,
      ref,
    );
  }

  /** Replaces encrypted secrets where they are still stored. */
  replaceSecrets(replacements: readonly SecretReplacement[]): void {
    const json = JSON.stringify(replacements);
    for (const column of ["secret", "previous_secret"]) {
      this.parts.sql.exec(
        `UPDATE webhooks SET ${column} = r.value ->> 'replacement' FROM json_each(?) r
         WHERE ${column} = r.value ->> 'stored'`,
        json,
      );
    }
    const byStored = new Map(replacements.map(({ stored, replacement }) => [stored, replacement]));
    for (const row of this.rows()) {
      const headers = headersOf(row).map(({ name, value }) => ({
        name,
        value: byStored.get(value) ?? value,
      }));
      const kept = headersJson(row.url, headers);
      this.parts.sql.exec("UPDATE webhooks SET headers = ? WHERE ref = ?", kept, row.ref);
    }
  }

  /** Removes the webhook, its deliveries and its open batch. */
  remove(ref: number): void {
    this.parts.sql.exec(
      "DELETE FROM attempts WHERE delivery IN (SELECT id FROM deliveries WHERE webhook = ?)",
      ref,
    );
    // Deleted first, so that the triggers of deliveries have nothing to update.
    this.parts.sql.exec("DELETE FROM webhooks WHERE ref = ?", ref);
    this.parts.sql.exec("DELETE FROM deliveries WHERE webhook = ?", ref);
    this.parts.sql.exec("DELETE FROM batch_events WHERE webhook = ?", ref);
    this.parts.sql.exec("DELETE FROM replays WHERE webhook = ?", ref);
  }

  /** Stores the webhook's health. @param health no first attempt is made before `backoffUntil` */
  setHealth(ref: number, health: WebhookHealth): void {
    this.parts.sql.exec(
      "UPDATE webhooks SET failed_attempts = ?, backoff_step = ?, backoff_until = ?, probe = ? WHERE ref = ?",
      health.failedAttempts,
      health.backoffStep,
      health.backoffUntil,
      health.probe,
      ref,
    );
  }

  /** @param failures consecutive deliveries that used up their attempts */
  setConsecutiveFailures(ref: number, failures: number): void {
    this.parts.sql.exec("UPDATE webhooks SET consecutive_failures = ? WHERE ref = ?", failures, ref);
  }

  /** Records that the caller is about to enqueue these webhooks. @returns their ids */
  markEnqueued(rows: readonly WebhookRow[], at: number): string[] {
    if (rows.length > 0) {
      this.parts.sql.exec(
        "UPDATE webhooks SET last_enqueued_at = ? WHERE ref IN (SELECT value FROM json_each(?))",
        at,
        JSON.stringify(rows.map(({ ref }) => ref)),
      );
    }
    return rows.map(({ id }) => id);
  }

  /** @param closesAt when the open batch closes; null if no batch is open @param size of the open batch */
  setOpenBatch(ref: number, closesAt: number | null, size: { events: number; bytes: number }): void {
    this.parts.sql.exec(
      "UPDATE webhooks SET batch_closes_at = ?, open_events = ?, open_bytes = ? WHERE ref = ?",
      closesAt,
      size.events,
      size.bytes,
      ref,
    );
  }
}

/** Returns the origin of a URL. */
export const originOf = (url: string): string => new URL(url).origin;

/** Returns the target host of a URL. */
export const hostOf = (url: string): string => new URL(url).hostname;

const dueSql = "FROM deliveries d WHERE d.webhook = w.ref AND d.next_attempt_at";
const isFirst = "d.first_attempt_at IS NULL";
const isRetry = "d.first_attempt_at IS NOT NULL";

const timesSql = `SELECT ref, status, backoff_until, last_enqueued_at, batch_closes_at, ended_events,
    EXISTS (SELECT 1 ${dueSql} <= last_enqueued_at AND ${isFirst}) AS first_overdue,
    (SELECT min(next_attempt_at) ${dueSql} > last_enqueued_at AND ${isFirst}) AS first_due,
    EXISTS (SELECT 1 ${dueSql} <= last_enqueued_at AND ${isRetry}) AS retry_overdue,
    (SELECT min(next_attempt_at) ${dueSql} > last_enqueued_at AND ${isRetry}) AS retry_due,
    (SELECT min(completed_at) FROM deliveries d WHERE d.webhook = w.ref AND d.completed_at IS NOT NULL) AS oldest_ended,
    EXISTS (SELECT 1 FROM replays r WHERE r.webhook = w.ref AND r.status = 'running') AS is_replaying
  FROM webhooks w ORDER BY id`;

const hostUsesSql = `SELECT ref,
    (SELECT count(*) FROM deliveries d WHERE d.webhook = w.ref AND d.lease_until > ?1) AS in_flight,
    status = 'active' AND (
      EXISTS (SELECT 1 ${dueSql} <= ?1 AND ${isRetry})
      OR backoff_until <= ?1 AND EXISTS (SELECT 1 ${dueSql} <= ?1 AND ${isFirst})
    ) AS is_waiting
  FROM webhooks w WHERE ref IN (SELECT value FROM json_each(?2))`;

const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: subscriptionsOf(row),
  scopeQrId: row.scope_qr_id,
  scopePageId: row.scope_page_id,
  mode: row.mode,
  headers: headersOf(row).map(({ name }) => ({ name })),
  status: row.status,
  keyId: row.key_id,
  pausedReason: row.paused_reason,
  consecutiveFailures: row.consecutive_failures,
  pendingEvents: row.pending_events,
  backlogFull: isBacklogFull(row),
  createdAt: isoTime(row.created_at),
});
