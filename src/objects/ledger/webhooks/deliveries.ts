import type { DeliveryStatus, EventKind } from "../../../contract/resources/enums.ts";
import type {
  Attempt,
  Delivery,
  DeliveryWithAttempts,
} from "../../../contract/resources/webhooks/webhooks.ts";
import { bounds } from "../../../protocol/bounds.ts";
import type { AttemptOutcome, ReplayProblem } from "../../../protocol/workspace-ledger.ts";
import { LedgerPart } from "../part.ts";
import { isoTime, isoTimeOrNull } from "../times.ts";
import { isBacklogFull, type WebhookRow } from "./webhooks.ts";

export type DeliveryRow = {
  id: string;
  webhook: number;
  event_id: string | null;
  event: string;
  body: string;
  status: DeliveryStatus;
  single_attempt: number;
  attempts: number;
  created_at: number;
  first_attempt_at: number | null;
  next_attempt_at: number | null;
  lease_until: number | null;
  completed_at: number | null;
  last_status: number | null;
  last_error: string | null;
  erased: number;
  event_count: number;
  replay: number | null;
};

/** A delivery to create. */
interface NewDelivery {
  readonly id: string;
  /** The kind of event, or `batch`. */
  readonly event: string;
  readonly body: string;
  /** The id of its event; a webhook has one delivery per event. Undefined for a batch or a test. */
  readonly eventId?: string;
  /** The number of events in a batch; 1 by default. */
  readonly eventCount?: number;
  readonly singleAttempt?: true;
}

/** Filters for listing deliveries; null for any. `after` is the id of the previous page's last one. */
interface DeliveryFilter {
  readonly status: DeliveryStatus | null;
  readonly after: string | null;
  readonly since: string | null;
  /** Batches may contain others. */
  readonly events: readonly EventKind[] | null;
}

/** The first attempt of a delivery may be delayed by a backoff; retries keep their schedule. */
type AttemptKind = "first" | "retry";

/** These match the conditions of partial indexes. */
const conditionOf: Record<AttemptKind, string> = {
  first: "first_attempt_at IS NULL",
  retry: "first_attempt_at IS NOT NULL",
};

/** A delivery without its body, which can be 256 KB. */
type DeliverySummary = Omit<DeliveryRow, "body">;

/** The deliveries of a workspace's webhooks and the log of their attempts. Times are epoch milliseconds. */
export class LedgerDeliveries extends LedgerPart<{ sql: SqlStorage }> {
  /**
   * Creates a delivery that is due at once. It is skipped if the webhook is paused or, except for a test, if its
   * backlog is full. Does nothing if the event already has a delivery.
   */
  insert(row: WebhookRow, delivery: NewDelivery, now: number): void {
    const full = delivery.singleAttempt !== true && this.#isBacklogFull(row.ref);
    const active = row.status === "active" && !full;
    this.parts.sql.exec(
      `INSERT INTO deliveries (id, webhook, event_id, event, body, status, single_attempt, event_count, created_at,
         next_attempt_at, completed_at, last_error)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (webhook, event_id) WHERE event_id IS NOT NULL DO NOTHING`,
      delivery.id,
      row.ref,
      delivery.eventId ?? null,
      delivery.event,
      delivery.body,
      active ? "pending" : "skipped",
      delivery.singleAttempt ? 1 : 0,
      delivery.eventCount ?? 1,
      now,
      active ? now : null,
      active ? null : now,
      full ? backlogFullReason : null,
    );
  }

  /** Returns whether the backlog is full. Read for every delivery, because those just created count as well. */
  #isBacklogFull(webhook: number): boolean {
    return this.parts.sql
      .exec<{ pending_events: number }>("SELECT pending_events FROM webhooks WHERE ref = ?", webhook)
      .toArray()
      .some(isBacklogFull);
  }

  find(webhook: number, id: string): DeliveryRow | undefined {
    return this.parts.sql
      .exec<DeliveryRow>("SELECT * FROM deliveries WHERE id = ? AND webhook = ?", id, webhook)
      .toArray()[0];
  }

  /** Returns a delivery without its body and attempts. */
  summary({ ref, backoff_until }: WebhookRow, id: string): Delivery | undefined {
    const row = this.find(ref, id);
    return row && presentDelivery(row, backoff_until);
  }

  /** Returns a webhook's deliveries, newest first. */
  list(
    { ref, backoff_until }: WebhookRow,
    { status, after, since, events }: DeliveryFilter,
    limit: number,
  ): Delivery[] {
    const conditions = Object.entries({
      "webhook = ?": ref,
      "status = ?": status,
      "id < ?": after,
      "id >= ?": since,
      "(event = 'batch' OR event IN (SELECT value FROM json_each(?)))": events && JSON.stringify(events),
    }).filter(([, value]) => value !== null);
    return this.parts.sql
      .exec<DeliverySummary>(
        `SELECT id, webhook, event_id, event, status, single_attempt, attempts, created_at, first_attempt_at, next_attempt_at,
           lease_until, completed_at, last_status, last_error, erased
         FROM deliveries WHERE ${conditions.map(([sql]) => sql).join(" AND ")} ORDER BY id DESC LIMIT ?`,
        ...conditions.map(([, value]) => value),
        limit,
      )
      .toArray()
      .map((row) => presentDelivery(row, backoff_until));
  }

  /** Returns a delivery with its body and the log of its attempts. */
  get({ ref, backoff_until }: WebhookRow, id: string): DeliveryWithAttempts | undefined {
    const row = this.find(ref, id);
    if (row === undefined) return undefined;
    const attemptLog = this.parts.sql
      .exec<AttemptRow>("SELECT * FROM attempts WHERE delivery = ? ORDER BY attempt", id)
      .toArray()
      .map(presentAttempt);
    return {
      ...presentDelivery(row, backoff_until),
      payload: hasBody(row) ? (JSON.parse(row.body) as Record<string, unknown>) : null,
      attemptLog,
    };
  }

  /** Returns the kinds of events in pending deliveries, in the open batch, and in those that a running replay may send. */
  unsentEvents(webhookId: string): EventKind[] {
    return this.parts.sql
      .exec<{ event: EventKind }>(unsentSql, webhookId)
      .toArray()
      .map(({ event }) => event);
  }

  /** Returns deliveries whose first attempt or retry is due, longest overdue first. */
  due(kind: AttemptKind, webhook: number, now: number, limit: number): DeliveryRow[] {
    if (limit === 0) return [];
    return this.parts.sql
      .exec<DeliveryRow>(
        `SELECT * FROM deliveries WHERE webhook = ? AND next_attempt_at <= ? AND ${conditionOf[kind]}
         ORDER BY next_attempt_at LIMIT ?`,
        webhook,
        now,
        limit,
      )
      .toArray();
  }

  /** Leases deliveries to a caller that attempts them now. They are not due again before `until`. */
  lease(ids: readonly string[], now: number, until: number): void {
    this.parts.sql.exec(
      `UPDATE deliveries SET first_attempt_at = coalesce(first_attempt_at, ?), next_attempt_at = ?, lease_until = ?
       WHERE id IN (SELECT value FROM json_each(?))`,
      now,
      until,
      until,
      JSON.stringify(ids),
    );
  }

  /** Logs an attempt. @param next the delivery's state afterwards */
  logAttempt(
    row: DeliveryRow,
    outcome: AttemptOutcome,
    next: { status: DeliveryStatus; nextAttemptAt: number | null; completedAt: number | null },
  ): void {
    this.parts.sql.exec(
      `INSERT INTO attempts (delivery, attempt, started_at, status, duration_ms, error, response_body)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.attempts + 1,
      outcome.at,
      outcome.status,
      outcome.durationMs,
      outcome.error,
      // The response may echo the erased data.
      row.erased === 1 ? null : outcome.responseBody,
    );
    this.parts.sql.exec(
      `UPDATE deliveries SET attempts = attempts + 1, status = ?, next_attempt_at = ?, lease_until = NULL,
         completed_at = ?, last_status = ?, last_error = ? WHERE id = ?`,
      next.status,
      next.nextAttemptAt,
      next.completedAt,
      outcome.status,
      outcome.error,
      row.id,
    );
  }

  /** Makes a failed or skipped delivery due again. @returns the delivery, or the reason it can't be sent again */
  replayOne(webhook: WebhookRow, id: string, now: number): Delivery | ReplayProblem | undefined {
    const row = this.find(webhook.ref, id);
    if (row === undefined) return undefined;
    if (row.status === "pending" || row.status === "succeeded") return row.status;
    if (!hasBody(row)) return "erased";
    if (webhook.status === "paused") return webhook.status;
    this.replay([id], now, null);
    return this.summary(webhook, id);
  }

  /** Makes ended deliveries due again, now or when their lease ends. @param replay the replay they belong to */
  replay(ids: readonly string[], now: number, replay: number | null): void {
    this.parts.sql.exec(
      `UPDATE deliveries SET status = 'pending', single_attempt = 1, replay = ?, completed_at = NULL,
         next_attempt_at = max(?, coalesce(lease_until, 0)) WHERE id IN (SELECT value FROM json_each(?))`,
      replay,
      now,
      JSON.stringify(ids),
    );
  }

  /** Skips all pending deliveries of a webhook. Attempts in flight may still succeed. */
  skipPending(webhook: number, now: number): void {
    this.parts.sql.exec(
      `UPDATE deliveries SET status = 'skipped', next_attempt_at = NULL, completed_at = ?
       WHERE webhook = ? AND status = 'pending'`,
      now,
      webhook,
    );
  }
}

const unsentSql = `WITH w AS (SELECT ref FROM webhooks WHERE id = ?), unsent AS (
    SELECT d.id, d.event FROM deliveries d JOIN w ON d.webhook = w.ref
    WHERE d.status = 'pending' OR d.status <> 'succeeded'
      AND EXISTS (SELECT 1 FROM replays r WHERE r.webhook = w.ref AND r.status = 'running'))
  SELECT event FROM unsent WHERE event <> 'batch'
  UNION SELECT b.event FROM batch_events b JOIN w ON b.webhook = w.ref
    WHERE b.delivery IS NULL OR b.delivery IN (SELECT id FROM unsent)`;

const backlogFullReason = `Not sent, because ${bounds.pendingEvents} events were already pending`;

/** Returns whether there is anything left to send. A delivery's body is empty once all its data has been erased. */
const hasBody = ({ body }: DeliveryRow): boolean => body !== "";

type AttemptRow = {
  started_at: number;
  status: number | null;
  duration_ms: number;
  error: string | null;
  response_body: string | null;
};

/** @param backoffUntil the webhook makes no first attempts before this time, epoch milliseconds */
function presentDelivery(row: DeliverySummary, backoffUntil: number): Delivery {
  const delayed = row.next_attempt_at !== null && row.first_attempt_at === null;
  const nextAttemptAt = delayed ? Math.max(row.next_attempt_at ?? 0, backoffUntil) : row.next_attempt_at;
  return {
    id: row.id,
    event: row.event,
    test: row.event_id === null && row.event !== "batch",
    status: row.status,
    attempts: row.attempts,
    createdAt: isoTime(row.created_at),
    nextAttemptAt: isoTimeOrNull(nextAttemptAt),
    completedAt: isoTimeOrNull(row.completed_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
    erased: row.erased === 1,
  };
}

const presentAttempt = (row: AttemptRow): Attempt => ({
  at: isoTime(row.started_at),
  status: row.status,
  durationMs: row.duration_ms,
  error: row.error,
  responseBody: row.response_body,
});
