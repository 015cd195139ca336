import type { DeliveryStatus } from "../../contract/resources/enums.ts";
import type { Attempt, Delivery, DeliveryWithAttempts } from "../../contract/resources/webhooks.ts";
import type { WebhookRow } from "./webhooks.ts";

export type DeliveryRow = {
  id: string;
  webhook: number;
  event: string;
  body: string;
  status: DeliveryStatus;
  once: number;
  attempts: number;
  created_at: number;
  began_at: number | null;
  next_at: number | null;
  lease_until: number | null;
  completed_at: number | null;
  last_status: number | null;
  last_error: string | null;
};

/** How an attempt went. */
export interface AttemptOutcome {
  /** When it began, epoch milliseconds. */
  readonly at: number;
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why it did not succeed; null for a 2xx in time. */
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly timedOut: boolean;
}

/** The deliveries of a workspace's webhooks, and the log of their attempts. */
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

  /** A webhook's deliveries, newest first, after the id `after`. */
  list(
    { ref, put_off_until }: WebhookRow,
    status: DeliveryStatus | null,
    after: string | null,
    limit: number,
  ): Delivery[] {
    return this.#sql
      .exec<DeliveryRow>(
        `SELECT * FROM deliveries WHERE webhook = ? ${status === null ? "" : "AND status = ?"} AND id < ?
         ORDER BY id DESC LIMIT ?`,
        ref,
        ...(status === null ? [] : [status]),
        after ?? "g",
        limit,
      )
      .toArray()
      .map((row) => presentDelivery(row, put_off_until));
  }

  get({ ref, put_off_until }: WebhookRow, id: string): DeliveryWithAttempts | undefined {
    const row = this.find(ref, id);
    if (row === undefined) return undefined;
    const attemptLog = this.#sql
      .exec<AttemptRow>("SELECT * FROM attempts WHERE delivery = ? ORDER BY attempt", id)
      .toArray()
      .map(presentAttempt);
    return {
      ...presentDelivery(row, put_off_until),
      payload: JSON.parse(row.body) as Record<string, unknown>,
      attemptLog,
    };
  }

  /** What is due, longest due first. @param now epoch milliseconds */
  due(webhook: number, now: number, limit: number): DeliveryRow[] {
    return this.#sql
      .exec<DeliveryRow>(
        "SELECT * FROM deliveries WHERE webhook = ? AND next_at <= ? ORDER BY next_at LIMIT ?",
        webhook,
        now,
        limit,
      )
      .toArray();
  }

  /** Of what is due, what began before `before`. */
  dueSince(webhook: number, now: number, before: number, limit: number): DeliveryRow[] {
    return this.#sql
      .exec<DeliveryRow>(
        `SELECT * FROM deliveries WHERE webhook = ? AND next_at <= ? AND coalesce(began_at, created_at) <= ?
         ORDER BY next_at LIMIT ?`,
        webhook,
        now,
        before,
        limit,
      )
      .toArray();
  }

  underWay(webhook: number, now: number): number {
    return this.#sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM deliveries WHERE webhook = ? AND lease_until > ?",
        webhook,
        now,
      )
      .one().n;
  }

  /** The earliest time something is due after `after`, and whether anything is due until then. */
  horizon(webhook: number, after: number): { next: number | null; waiting: boolean } {
    return {
      next: this.#sql
        .exec<{ at: number | null }>(
          "SELECT min(next_at) AS at FROM deliveries WHERE webhook = ? AND next_at > ?",
          webhook,
          after,
        )
        .one().at,
      waiting: this.due(webhook, after, 1).length > 0,
    };
  }

  /** Gives an attempt away: until the lease ends nobody else gets it. @param beganAt when it is the first */
  lease(id: string, beganAt: number, until: number): void {
    this.#sql.exec(
      "UPDATE deliveries SET began_at = coalesce(began_at, ?), next_at = ?, lease_until = ? WHERE id = ?",
      beganAt,
      until,
      until,
      id,
    );
  }

  /** Logs an attempt. @param next what the delivery is from then on */
  log(
    row: DeliveryRow,
    outcome: AttemptOutcome,
    next: { status: DeliveryStatus; nextAt: number | null; completedAt: number | null },
  ): void {
    this.#sql.exec(
      "INSERT INTO attempts (delivery, attempt, at, status, duration, error, response) VALUES (?, ?, ?, ?, ?, ?, ?)",
      row.id,
      row.attempts + 1,
      outcome.at,
      outcome.status,
      outcome.durationMs,
      outcome.error,
      outcome.responseBody,
    );
    this.#sql.exec(
      `UPDATE deliveries SET attempts = attempts + 1, status = ?, next_at = ?, lease_until = NULL, completed_at = ?,
         last_status = ?, last_error = ? WHERE id = ?`,
      next.status,
      next.nextAt,
      next.completedAt,
      outcome.status,
      outcome.error,
      row.id,
    );
  }

  /** One more attempt, now, for a delivery that has ended. */
  replay(id: string, now: number): void {
    this.#sql.exec(
      `UPDATE deliveries SET status = 'pending', once = 1, next_at = max(?, coalesce(lease_until, 0)),
         completed_at = NULL WHERE id = ?`,
      now,
      id,
    );
  }

  /** Nothing of this webhook is pending any more. What is under way may still end well. */
  skipPending(webhook: number, now: number): void {
    this.#sql.exec(
      `UPDATE deliveries SET status = 'skipped', next_at = NULL, completed_at = ?
       WHERE webhook = ? AND next_at IS NOT NULL`,
      now,
      webhook,
    );
  }

  /** Forgets deliveries that ended before `before`, a bounded number at a time. */
  prune(before: number): void {
    const ended = "SELECT id FROM deliveries WHERE completed_at < ? ORDER BY completed_at LIMIT 5000";
    this.#sql.exec(`DELETE FROM attempts WHERE delivery IN (${ended})`, before);
    this.#sql.exec(`DELETE FROM batch_events WHERE delivery IN (${ended})`, before);
    this.#sql.exec(`DELETE FROM deliveries WHERE id IN (${ended})`, before);
  }
}

type AttemptRow = {
  at: number;
  status: number | null;
  duration: number;
  error: string | null;
  response: string | null;
};

const isoTime = (at: number) => new Date(at).toISOString();
const isoTimeOrNull = (at: number | null) => (at === null ? null : isoTime(at));

/** @param putOffUntil no attempt of its webhook is made before, epoch milliseconds */
export function presentDelivery(row: DeliveryRow, putOffUntil: number): Delivery {
  const nextAt = row.next_at === null ? null : Math.max(row.next_at, putOffUntil);
  return {
    id: row.id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    createdAt: isoTime(row.created_at),
    nextAttemptAt: isoTimeOrNull(nextAt),
    completedAt: isoTimeOrNull(row.completed_at),
    lastStatus: row.last_status,
    lastError: row.last_error,
  };
}

const presentAttempt = (row: AttemptRow): Attempt => ({
  at: isoTime(row.at),
  status: row.status,
  durationMs: row.duration,
  error: row.error,
  responseBody: row.response,
});
