import { serviceActor } from "../../../protocol/history.ts";
import { webhookRules } from "../../../protocol/webhook-rules.ts";
import type { AttemptOutcome, Claim, WebhookChanges } from "../../../protocol/workspace-ledger.ts";
import { LedgerPart } from "../part.ts";
import { earliest } from "../times.ts";
import type { LedgerBatches } from "./batches.ts";
import type { DeliveryRow, LedgerDeliveries } from "./deliveries.ts";
import type { LedgerReplays } from "./replays.ts";
import type { WebhookHistory } from "./webhook-history.ts";
import {
  headersOf,
  hostOf,
  type LedgerWebhooks,
  pausedByHand,
  type WebhookHealth,
  type WebhookRow,
  type WebhookTimes,
} from "./webhooks.ts";

const { attemptOffsets, breaker, maxInFlight, claimSize } = webhookRules;

/** Schedules delivery attempts and acts on their outcomes. Times are epoch milliseconds. */
export class LedgerDispatch extends LedgerPart<{
  webhooks: LedgerWebhooks;
  deliveries: LedgerDeliveries;
  batches: LedgerBatches;
  replays: LedgerReplays;
  webhookHistory: WebhookHistory;
}> {
  /** Leases due attempts to the caller. No other claim includes them until the lease ends. */
  claim(webhook: WebhookRow, now: number): Claim {
    const remaining = webhook.status === "active" ? this.#remainingInFlight(webhook, now) : 0;
    const due = remaining === 0 ? [] : this.#claimable(webhook, now);
    const claimed = due.slice(0, Math.min(remaining, claimSize));
    const leaseEnd = now + webhookRules.lease;
    if (claimed.length > 0) {
      this.parts.deliveries.lease(
        claimed.map(({ id }) => id),
        now,
        leaseEnd,
      );
    }
    const probe = claimed.find((row) => row.first_attempt_at === null && row.single_attempt === 0);
    if (webhook.backoff_step > 0 && probe !== undefined) {
      // Until this attempt has probed the receiver, no other first attempt is made.
      this.parts.webhooks.setHealth(webhook.ref, {
        ...healthOf(webhook),
        probe: probe.id,
        backoffUntil: leaseEnd,
      });
    }
    return {
      url: webhook.url,
      secrets: signingSecrets(webhook, now),
      headers: headersOf(webhook),
      deliveries: claimed.map(({ id, event, body, attempts }) => ({
        id,
        event,
        body,
        attempt: attempts + 1,
      })),
      more: due.length > claimed.length && remaining > claimed.length && webhook.failed_attempts === 0,
    };
  }

  /**
   * How many more attempts may be in flight, within the webhook's own limit and its share of the target host's.
   * Webhooks of a host that have something to send share it equally, so that none blocks the others.
   */
  #remainingInFlight(webhook: WebhookRow, now: number): number {
    const uses = this.parts.webhooks.hostUses(hostOf(webhook.url), now);
    const own = uses.find(({ ref }) => ref === webhook.ref)?.in_flight ?? 0;
    const max = webhook.failed_attempts === 0 ? maxInFlight.healthy : maxInFlight.suspect;
    const total = uses.reduce((sum, { in_flight }) => sum + in_flight, 0);
    const sharers = uses.filter(({ in_flight, is_waiting }) => in_flight > 0 || is_waiting === 1).length;
    const share = Math.max(1, Math.floor(maxInFlight.host / Math.max(1, sharers)));
    return Math.max(0, Math.min(max - own, share - own, maxInFlight.host - total));
  }

  /**
   * Returns the due deliveries that may be attempted now, retries first. During a backoff, no first attempts are made;
   * after it, one is made to probe the receiver. The list is one longer than a claim if there is more to do.
   */
  #claimable({ ref, backoff_step, backoff_until }: WebhookRow, now: number): DeliveryRow[] {
    const retries = this.parts.deliveries.due("retry", ref, now, claimSize + 1);
    const remaining = claimSize + 1 - retries.length;
    const probes = backoff_until > now ? 0 : Math.min(1, remaining);
    const limit = backoff_step === 0 ? remaining : probes;
    return [...retries, ...this.parts.deliveries.due("first", ref, now, limit)];
  }

  /**
   * Records the outcome of a claimed attempt. Ignores attempts that were already settled or have been claimed again.
   */
  settle(webhook: WebhookRow, id: string, attempt: number, outcome: AttemptOutcome, now: number): void {
    const row = this.parts.deliveries.find(webhook.ref, id);
    if (row === undefined || row.attempts + 1 !== attempt) return;
    if (row.replay !== null) this.parts.replays.settled(row.replay, outcome.error === null);
    if (outcome.error === null) {
      this.parts.deliveries.logAttempt(row, outcome, {
        status: "succeeded",
        nextAttemptAt: null,
        completedAt: now,
      });
      if (webhook.consecutive_failures > 0) this.parts.webhooks.setConsecutiveFailures(webhook.ref, 0);
      if (webhook.failed_attempts > 0 || webhook.backoff_step > 0) {
        this.parts.webhooks.setHealth(webhook.ref, healthy);
      }
      return;
    }
    // A test or a replay says little about new events, so its failure must not hold them back.
    if (row.single_attempt === 0) this.#countFailedAttempt(webhook, id, now);
    // The webhook was paused during the attempt, so the delivery stays skipped.
    if (row.status !== "pending") {
      this.parts.deliveries.logAttempt(row, outcome, {
        status: row.status,
        nextAttemptAt: null,
        completedAt: now,
      });
      return;
    }
    const gone = outcome.status === 410;
    const final = row.single_attempt === 1 || gone;
    const nextAttemptAt = final ? null : nextAttempt(row.first_attempt_at ?? now, attempt, now);
    this.parts.deliveries.logAttempt(row, outcome, {
      status: nextAttemptAt === null ? "failed" : "pending",
      nextAttemptAt,
      completedAt: nextAttemptAt === null ? now : null,
    });
    if (gone) this.#pauseAsService(webhook, "The receiver answered 410 Gone", now);
    else if (nextAttemptAt === null && !row.single_attempt) this.#countFailure(webhook, now);
  }

  /**
   * Counts consecutive failed attempts. At the breaker's threshold a backoff begins, and each failed probe begins a
   * longer one. Retries and concurrent attempts don't lengthen it.
   */
  #countFailedAttempt(webhook: WebhookRow, id: string, now: number): void {
    const health = { ...healthOf(webhook), failedAttempts: webhook.failed_attempts + 1 };
    const begins = webhook.backoff_step === 0 && health.failedAttempts >= breaker.threshold;
    if (!begins && webhook.probe !== id) {
      this.parts.webhooks.setHealth(webhook.ref, health);
      return;
    }
    const backoffStep = Math.min(webhook.backoff_step + 1, breaker.backoffs.length);
    const backoffUntil = now + (breaker.backoffs[backoffStep - 1] ?? 0);
    this.parts.webhooks.setHealth(webhook.ref, { ...health, backoffStep, backoffUntil, probe: null });
  }

  /** Counts a delivery that used up its attempts. Too many consecutive ones pause the webhook. */
  #countFailure(webhook: WebhookRow, now: number): void {
    const failures = webhook.consecutive_failures + 1;
    this.parts.webhooks.setConsecutiveFailures(webhook.ref, failures);
    if (failures >= webhookRules.pauseAfter && webhook.status === "active") {
      this.#pauseAsService(webhook, `${failures} consecutive deliveries failed`, now);
    }
  }

  /** Pauses a webhook as the service, not as a person. */
  #pauseAsService(webhook: WebhookRow, reason: string, now: number): void {
    this.pause(webhook, reason, now);
    this.parts.webhookHistory.changed(webhook, serviceActor, now);
  }

  /** Pauses all active webhooks in the same way. */
  pauseAll(reason: string, now: number): void {
    for (const webhook of this.parts.webhooks.rows()) {
      if (webhook.status === "active") this.#pauseAsService(webhook, reason, now);
    }
  }

  /** Changes, pauses or resumes a webhook. */
  change(webhook: WebhookRow, changes: WebhookChanges, now: number): void {
    const { webhooks, batches } = this.parts;
    // Events in the open batch are still sent as a batch.
    if (changes.mode === "realtime" && webhook.mode !== "realtime") batches.close(webhook, now);
    webhooks.change(webhook, changes);
    if (changes.status === undefined || changes.status === webhook.status) return;
    if (changes.status === "paused") this.pause(webhook, pausedByHand, now);
    else webhooks.setStatus(webhook.ref, "active", null);
  }

  /** Pauses a webhook. Its pending deliveries are skipped and can be replayed once it is resumed. */
  pause(webhook: WebhookRow, reason: string, now: number): void {
    this.parts.webhooks.setStatus(webhook.ref, "paused", reason);
    this.parts.batches.close({ ...webhook, status: "paused" }, now);
    this.parts.deliveries.skipPending(webhook.ref, now);
    this.parts.replays.stop(webhook, "The webhook was paused", now);
  }

  /**
   * When this webhook must be enqueued next; null for never. Deliveries already due when it was last enqueued are left
   * to the queue's consumer for a minute; later ones are enqueued when due.
   */
  nextEnqueueAt(times: WebhookTimes): number | null {
    if (times.status !== "active") return null;
    const again = times.last_enqueued_at + webhookRules.enqueueAgainAfter;
    const first = earliest([times.first_due, times.first_overdue === 1 ? again : null]);
    return earliest([
      times.retry_due,
      times.retry_overdue === 1 ? again : null,
      first === null ? null : Math.max(first, times.backoff_until),
    ]);
  }
}

const healthy: WebhookHealth = { failedAttempts: 0, backoffStep: 0, backoffUntil: 0, probe: null };

const healthOf = (webhook: WebhookRow): WebhookHealth => ({
  failedAttempts: webhook.failed_attempts,
  backoffStep: webhook.backoff_step,
  backoffUntil: webhook.backoff_until,
  probe: webhook.probe,
});

/** Returns the webhook's secret and, during its grace period, the previous one. */
function signingSecrets(webhook: WebhookRow, now: number): string[] {
  const { secret, previous_secret, previous_secret_until } = webhook;
  const inGrace = previous_secret !== null && (previous_secret_until ?? 0) > now;
  return inGrace ? [secret, previous_secret] : [secret];
}

/** Returns all that is encrypted of a webhook. */
export const encryptedOf = (webhook: WebhookRow, now: number): string[] => [
  ...signingSecrets(webhook, now),
  ...headersOf(webhook).map(({ value }) => value),
];

/** Returns when the attempt after number `made` is due; null after the last one. Skips offsets that have passed. */
function nextAttempt(firstAttemptAt: number, made: number, now: number): number | null {
  const later = attemptOffsets.slice(made).find((offset) => firstAttemptAt + offset > now);
  return later === undefined ? null : firstAttemptAt + later;
}
