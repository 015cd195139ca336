import { webhookRules } from "../../protocol/webhook-rules.ts";
import type { AttemptOutcome, Claim } from "../../protocol/workspace-ledger.ts";
import type { LedgerBatches } from "./batches.ts";
import type { DeliveryRow, LedgerDeliveries } from "./deliveries.ts";
import { earliest } from "./times.ts";
import type { LedgerWebhooks, WebhookRow } from "./webhooks.ts";

const { attemptOffsets, breaker } = webhookRules;
const lastOffset = attemptOffsets.at(-1) ?? 0;

/** Schedules delivery attempts, and acts on their outcomes. Times are epoch milliseconds. */
export class LedgerDispatch {
  readonly #webhooks: LedgerWebhooks;
  readonly #deliveries: LedgerDeliveries;
  readonly #batches: LedgerBatches;

  constructor(webhooks: LedgerWebhooks, deliveries: LedgerDeliveries, batches: LedgerBatches) {
    this.#webhooks = webhooks;
    this.#deliveries = deliveries;
    this.#batches = batches;
  }

  /** Leases due attempts to the caller. No other claim includes them before the lease ends. */
  claim(webhook: WebhookRow, now: number): Claim {
    const remaining = webhook.status === "active" ? this.#remainingInFlight(webhook, now) : 0;
    const due = this.#claimable(webhook, now, remaining);
    const claimed = due.slice(0, Math.min(remaining, webhookRules.claimSize));
    const probing = isTripped(webhook);
    for (const { id, created_at } of claimed) {
      // A delivery whose first attempt was delayed by a backoff is retried for 24 hours from its creation.
      this.#deliveries.lease(id, probing ? created_at : now, now + webhookRules.lease);
    }
    if (claimed.length > 0 && probing) {
      // One attempt probes the receiver; no other is made while it is in flight.
      this.#webhooks.setBackoff(webhook.ref, webhook.consecutive_timeouts, now + webhookRules.lease);
    }
    return {
      url: webhook.url,
      secrets: signingSecrets(webhook, now),
      deliveries: claimed.map(({ id, event, body, attempts }) => ({
        id,
        event,
        body,
        attempt: attempts + 1,
      })),
      more: due.length > claimed.length && remaining > claimed.length && webhook.consecutive_timeouts === 0,
    };
  }

  #remainingInFlight(webhook: WebhookRow, now: number): number {
    const { healthy, suspect } = webhookRules.maxInFlight;
    const max = webhook.consecutive_timeouts === 0 ? healthy : suspect;
    return Math.max(0, max - this.#deliveries.countInFlight(webhook.ref, now));
  }

  /** Due deliveries that may be attempted now. One more than a claim holds shows that there are more. */
  #claimable(webhook: WebhookRow, now: number, remaining: number): DeliveryRow[] {
    if (remaining === 0) return [];
    const { ref } = webhook;
    if (!isTripped(webhook)) return this.#deliveries.due(ref, now, webhookRules.claimSize + 1);
    // During a backoff only last attempts are made; after it, one attempt to probe the receiver.
    const lastAttempts = this.#deliveries.dueBegunBefore(ref, now, now - lastOffset, remaining);
    if (lastAttempts.length > 0 || webhook.backoff_until > now) return lastAttempts;
    return this.#deliveries.due(ref, now, 1);
  }

  /** Records the outcome of a claimed attempt. One that was settled before, or claimed again, changes nothing. */
  settle(webhook: WebhookRow, id: string, attempt: number, outcome: AttemptOutcome, now: number): void {
    const row = this.#deliveries.find(webhook.ref, id);
    if (row === undefined || row.attempts + 1 !== attempt) return;
    if (outcome.error === null) {
      this.#deliveries.logAttempt(row, outcome, {
        status: "succeeded",
        nextAttemptAt: null,
        completedAt: now,
      });
      this.#webhooks.setConsecutiveFailures(webhook.ref, 0);
      this.#webhooks.setBackoff(webhook.ref, 0, 0);
      return;
    }
    this.#updateBackoff(webhook, outcome, now);
    // The webhook was paused during the attempt: the delivery stays skipped.
    if (row.status !== "pending") {
      this.#deliveries.logAttempt(row, outcome, {
        status: row.status,
        nextAttemptAt: null,
        completedAt: now,
      });
      return;
    }
    const gone = outcome.status === 410;
    const final = row.single_attempt === 1 || gone;
    const nextAttemptAt = final ? null : nextAttempt(row.first_attempt_at ?? now, attempt, now);
    this.#deliveries.logAttempt(row, outcome, {
      status: nextAttemptAt === null ? "failed" : "pending",
      nextAttemptAt,
      completedAt: nextAttemptAt === null ? now : null,
    });
    if (gone) this.pause(webhook, "The receiver answered 410 Gone", now);
    else if (nextAttemptAt === null && !row.single_attempt) this.#countFailure(webhook, now);
  }

  /** Counts consecutive timeouts. From the breaker's threshold on, each begins a longer backoff. */
  #updateBackoff(webhook: WebhookRow, outcome: AttemptOutcome, now: number): void {
    const timeouts = outcome.timedOut ? webhook.consecutive_timeouts + 1 : 0;
    const excess = timeouts - breaker.threshold;
    const backoff = excess < 0 ? undefined : (breaker.backoffs[excess] ?? breaker.backoffs.at(-1));
    this.#webhooks.setBackoff(webhook.ref, timeouts, backoff === undefined ? 0 : now + backoff);
  }

  /** Counts a delivery that used up its attempts. Too many in a row pause the webhook. */
  #countFailure(webhook: WebhookRow, now: number): void {
    const failures = webhook.consecutive_failures + 1;
    this.#webhooks.setConsecutiveFailures(webhook.ref, failures);
    if (failures >= webhookRules.pauseAfter && webhook.status === "active") {
      this.pause(webhook, `${failures} deliveries in a row exhausted their attempts`, now);
    }
  }

  /** Pauses a webhook. Its pending deliveries are skipped, and can be replayed once it is resumed. */
  pause(webhook: WebhookRow, reason: string, now: number): void {
    this.#webhooks.setStatus(webhook.ref, "paused", reason);
    this.#batches.close({ ...webhook, status: "paused" }, now);
    this.#deliveries.skipPending(webhook.ref, now);
  }

  /**
   * When this webhook has to be enqueued next; null for never. Deliveries that were due when it was last enqueued are
   * left to the queue's consumer for a minute; the others are enqueued when they are due.
   */
  nextEnqueueAt({ ref, status, last_enqueued_at, backoff_until }: WebhookRow): number | null {
    if (status !== "active") return null;
    const overdue = this.#deliveries.due(ref, last_enqueued_at, 1).length > 0;
    const at = earliest([
      this.#deliveries.nextDueAfter(ref, last_enqueued_at),
      overdue ? last_enqueued_at + webhookRules.enqueueAgainAfter : null,
    ]);
    return at === null ? null : Math.max(at, backoff_until);
  }
}

/** Whether the receiver has timed out so often in a row that attempts are held back. */
const isTripped = (webhook: WebhookRow) => webhook.consecutive_timeouts >= breaker.threshold;

/** The webhook's secret and, within its grace period, the previous one. */
function signingSecrets(webhook: WebhookRow, now: number): string[] {
  const { secret, previous_secret, previous_secret_until } = webhook;
  const inGrace = previous_secret !== null && (previous_secret_until ?? 0) > now;
  return inGrace ? [secret, previous_secret] : [secret];
}

/** When the attempt after attempt number `made` is due; null after the last. Offsets that have passed are left out. */
function nextAttempt(firstAttemptAt: number, made: number, now: number): number | null {
  const later = attemptOffsets.slice(made).find((offset) => firstAttemptAt + offset > now);
  return later === undefined ? null : firstAttemptAt + later;
}
