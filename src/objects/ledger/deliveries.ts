import type { DeliveryStatus } from "../../contract/resources/enums.ts";
import type { Attempt, Delivery, DeliveryWithAttempts } from "../../contract/resources/webhooks.ts";
import type { AttemptOutcome } from "../../protocol/workspace-ledger.ts";
import { isoTime, isoTimeOrNull } from "./times.ts";
import type { WebhookRow } from "./webhooks.ts";

export type DeliveryRow = {
  id: string;
  webhook: number;
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
};

/** A delivery without its body, which can have 256 KB. */
type DeliverySummary = Omit<DeliveryRow, "body">;

/** The deliveries of a workspace's webhooks, and the log of their attempts. Times are epoch milliseconds. */
export class LedgerDeliveries {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(webhook: number, id: string): DeliveryRow | undefined {
    return this.#sql
      .exec<DeliveryRow>("SELECT * FROM deliveries WHERE id = ? AND webhook = ?", id, webhook)
      .toArray()[0];
  }

  /**
   * A webhook's deliveries, newest first.
   * @param status of the deliveries; null for all
   * @param after the id of the previous page's last one; null for the first page
   */
  list(
    { ref, backoff_until }: WebhookRow,
    status: DeliveryStatus | null,
    after: string | null,
    limit: number,
  ): Delivery[] {
    const conditions = ["webhook = ?"];
    const values: (string | number)[] = [ref];
    if (status !== null) {
      conditions.push("status = ?");
      values.push(status);
    }
    if (after !== null) {
      conditions.push("id < ?");
      values.push(after);
    }
    return this.#sql
      .exec<DeliverySummary>(
        `SELECT id, webhook, event, status, single_attempt, attempts, created_at, first_attempt_at, next_attempt_at,
           lease_until, completed_at, last_status, last_error
         FROM deliveries WHERE ${conditions.join(" AND ")} ORDER BY id DESC LIMIT ?`,
        ...values,
        limit,
      )
      .toArray()
      .map((row) => presentDelivery(row, backoff_until));
  }

  /** A delivery with its body and the log of its attempts. */
  get({ ref, backoff_until }: WebhookRow, id: string): DeliveryWithAttempts | undefined {
    const row = this.find(ref, id);
    if (row === undefined) return undefined;
    const attemptLog = this.#sql
      .exec<AttemptRow>("SELECT * FROM attempts WHERE delivery = ? ORDER BY attempt", id)
      .toArray()
      .map(presentAttempt);
    return {
      ...presentDelivery(row, backoff_until),
      payload: JSON.parse(row.body) as Record<string, unknown>,
      attemptLog,
    };
  }

  /** Deliveries that are due, the longest overdue first. */
  due(webhook: number, now: number, limit: number): DeliveryRow[] {
    return this.#sql
      .exec<DeliveryRow>(
        "SELECT * FROM deliveries WHERE webhook = ? AND next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?",
        webhook,
        now,
        limit,
      )
      .toArray();
  }

  /** Due deliveries whose first attempt (or creation, before any attempt) was at `before` or earlier. */
  dueBegunBefore(webhook: number, now: number, before: number, limit: number): DeliveryRow[] {
    return this.#sql
      .exec<DeliveryRow>(
        `SELECT * FROM deliveries
         WHERE webhook = ? AND next_attempt_at <= ? AND coalesce(first_attempt_at, created_at) <= ?
         ORDER BY next_attempt_at LIMIT ?`,
        webhook,
        now,
        before,
        limit,
      )
      .toArray();
  }

  /** The earliest time after `time` at which a delivery is due; null when there is none. */
  nextDueAfter(webhook: number, time: number): number | null {
    return this.#sql
      .exec<{ at: number | null }>(
        "SELECT min(next_attempt_at) AS at FROM deliveries WHERE webhook = ? AND next_attempt_at > ?",
        webhook,
        time,
      )
      .one().at;
  }

  /** The number of attempts in flight: claimed and not settled yet. */
  countInFlight(webhook: number, now: number): number {
    return this.#sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM deliveries WHERE webhook = ? AND lease_until > ?",
        webhook,
        now,
      )
      .one().n;
  }

  /**
   * Leases a delivery to a caller: it is not due again before `until`.
   * @param firstAttemptAt stored if this is the delivery's first attempt
   */
  lease(id: string, firstAttemptAt: number, until: number): void {
    this.#sql.exec(
      `UPDATE deliveries SET first_attempt_at = coalesce(first_attempt_at, ?), next_attempt_at = ?, lease_until = ?
       WHERE id = ?`,
      firstAttemptAt,
      until,
      until,
      id,
    );
  }

  /** Logs an attempt. @param next the delivery's state after it */
  logAttempt(
    row: DeliveryRow,
    outcome: AttemptOutcome,
    next: { status: DeliveryStatus; nextAttemptAt: number | null; completedAt: number | null },
  ): void {
    this.#sql.exec(
      `INSERT INTO attempts (delivery, attempt, started_at, status, duration_ms, error, response_body)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      row.id,
      row.attempts + 1,
      outcome.at,
      outcome.status,
      outcome.durationMs,
      outcome.error,
      outcome.responseBody,
    );
    this.#sql.exec(
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

  /** Makes a delivery that has ended due once more, now or when its lease ends. */
  replay(id: string, now: number): void {
    this.#sql.exec(
      `UPDATE deliveries SET status = 'pending', single_attempt = 1,
         next_attempt_at = max(?, coalesce(lease_until, 0)), completed_at = NULL WHERE id = ?`,
      now,
      id,
    );
  }

  /** Skips all pending deliveries of a webhook. Attempts in flight may still succeed. */
  skipPending(webhook: number, now: number): void {
    this.#sql.exec(
      `UPDATE deliveries SET status = 'skipped', next_attempt_at = NULL, completed_at = ?
       WHERE webhook = ? AND next_attempt_at IS NOT NULL`,
      now,
      webhook,
    );
  }

  /** Deletes deliveries that ended before `before`, at most 5000 per call. */
  prune(before: number): void {
    const ended = "SELECT id FROM deliveries WHERE completed_at < ? ORDER BY completed_at LIMIT 5000";
    this.#sql.exec(`DELETE FROM attempts WHERE delivery IN (${ended})`, before);
    this.#sql.exec(`DELETE FROM batch_events WHERE delivery IN (${ended})`, before);
    this.#sql.exec(`DELETE FROM deliveries WHERE id IN (${ended})`, before);
  }
}

type AttemptRow = {
  started_at: number;
  status: number | null;
  duration_ms: number;
  error: string | null;
  response_body: string | null;
};

/** @param backoffUntil no attempt for its webhook is made before, epoch milliseconds */
export function presentDelivery(row: DeliverySummary, backoffUntil: number): Delivery {
  const nextAttemptAt = row.next_attempt_at === null ? null : Math.max(row.next_attempt_at, backoffUntil);
  return {
    id: row.id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    createdAt: isoTime(row.created_at),
    nextAttemptAt: isoTimeOrNull(nextAttemptAt),
    completedAt: isoTimeOrNull(row.completed_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
  };
}

const presentAttempt = (row: AttemptRow): Attempt => ({
  at: isoTime(row.started_at),
  status: row.status,
  durationMs: row.duration_ms,
  error: row.error,
  responseBody: row.response_body,
});
