import { webhookRules } from "../../protocol/webhook-rules.ts";
import type { DeliveryRow, LedgerDeliveries } from "./deliveries.ts";
import type { AttemptOutcome } from "../../protocol/workspace-ledger.ts";
import type { LedgerEvents } from "./events.ts";
import type { LedgerWebhooks, WebhookRow } from "./webhooks.ts";

/** Attempts that were claimed, to be made now. */
export interface Work {
  readonly url: string;
  /** Sealed secrets that sign: the one in force, and during its grace the one before. */
  readonly secrets: readonly string[];
  readonly deliveries: readonly ClaimedDelivery[];
  /** More is due, and may be claimed beside this. */
  readonly more: boolean;
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  /** Counts from 1; told again when it is settled. */
  readonly attempt: number;
}

const { attempts: offsets, breaker } = webhookRules;
const lastOffset = offsets.at(-1) ?? 0;

/** Which attempt is made when, and what follows from how it went. All times are epoch milliseconds. */
export class LedgerDispatch {
  readonly #webhooks: LedgerWebhooks;
  readonly #deliveries: LedgerDeliveries;
  readonly #events: LedgerEvents;

  constructor(webhooks: LedgerWebhooks, deliveries: LedgerDeliveries, events: LedgerEvents) {
    this.#webhooks = webhooks;
    this.#deliveries = deliveries;
    this.#events = events;
  }

  /** Gives away attempts that are due; nobody else gets them before their lease ends. */
  claim(webhook: WebhookRow, now: number): Work {
    const { url, secret, old_secret, old_secret_until } = webhook;
    const secrets = [secret, ...(old_secret !== null && (old_secret_until ?? 0) > now ? [old_secret] : [])];
    const room = webhook.status === "active" ? this.#room(webhook, now) : 0;
    const due = this.#claimable(webhook, now, room);
    const deliveries = due.slice(0, Math.min(room, webhookRules.claim));
    for (const { id, created_at } of deliveries) {
      // What was put off before its first attempt has its 24 hours from when that was due.
      this.#deliveries.lease(id, isProbing(webhook) ? created_at : now, now + webhookRules.lease);
    }
    if (deliveries.length > 0 && isProbing(webhook)) {
      // One attempt tells whether the receiver is back; nobody else tries meanwhile.
      this.#webhooks.noteHealth(webhook.ref, webhook.timeouts, now + webhookRules.lease);
    }
    return {
      url,
      secrets,
      deliveries: deliveries.map((row) => ({
        id: row.id,
        event: row.event,
        body: row.body,
        attempt: row.attempts + 1,
      })),
      more: due.length > deliveries.length && room > deliveries.length && webhook.timeouts === 0,
    };
  }

  #room(webhook: WebhookRow, now: number): number {
    const { healthy, suspect } = webhookRules.underWay;
    const most = webhook.timeouts === 0 ? healthy : suspect;
    return Math.max(0, most - this.#deliveries.underWay(webhook.ref, now));
  }

  #claimable(webhook: WebhookRow, now: number, room: number): DeliveryRow[] {
    if (room === 0) return [];
    const { ref } = webhook;
    if (!isProbing(webhook)) return this.#deliveries.due(ref, now, webhookRules.claim + 1);
    // What is put off is not tried, but for its last attempt; and for one that tells whether the receiver is back.
    const last = this.#deliveries.dueSince(ref, now, now - lastOffset, room);
    return last.length > 0 || webhook.put_off_until > now ? last : this.#deliveries.due(ref, now, 1);
  }

  /** Writes down how a claimed attempt went. One that was settled before, or claimed anew, changes nothing. */
  settle(webhook: WebhookRow, id: string, attempt: number, outcome: AttemptOutcome, now: number): void {
    const row = this.#deliveries.find(webhook.ref, id);
    if (row === undefined || row.attempts + 1 !== attempt) return;
    const completedAt = now;
    if (outcome.error === null) {
      this.#deliveries.log(row, outcome, { status: "succeeded", nextAt: null, completedAt });
      this.#webhooks.noteExhausted(webhook.ref, 0);
      this.#webhooks.noteHealth(webhook.ref, 0, 0);
      return;
    }
    this.#noteFailure(webhook, outcome, now);
    // Paused meanwhile: it stays skipped.
    if (row.status !== "pending") {
      this.#deliveries.log(row, outcome, { status: row.status, nextAt: null, completedAt });
      return;
    }
    const gone = outcome.status === 410;
    const nextAt = row.once || gone ? null : nextAttempt(row.began_at ?? now, attempt, now);
    this.#deliveries.log(row, outcome, {
      status: nextAt === null ? "failed" : "pending",
      nextAt,
      completedAt: nextAt === null ? completedAt : null,
    });
    if (gone) this.pause(webhook, "The receiver answered 410 Gone", now);
    else if (nextAt === null && !row.once) this.#noteExhausted(webhook, now);
  }

  #noteFailure(webhook: WebhookRow, outcome: AttemptOutcome, now: number): void {
    const timeouts = outcome.timedOut ? webhook.timeouts + 1 : 0;
    const tooMany = timeouts - breaker.after;
    const pause = breaker.pauses[Math.min(Math.max(tooMany, 0), breaker.pauses.length - 1)] ?? 0;
    this.#webhooks.noteHealth(webhook.ref, timeouts, tooMany >= 0 ? now + pause : 0);
  }

  #noteExhausted(webhook: WebhookRow, now: number): void {
    const inARow = webhook.exhausted + 1;
    this.#webhooks.noteExhausted(webhook.ref, inARow);
    if (inARow >= webhookRules.pauseAfter && webhook.status === "active") {
      this.pause(webhook, `${inARow} deliveries in a row exhausted their attempts`, now);
    }
  }

  /** From now on nothing is sent: what waits is skipped, and can be replayed once the webhook is resumed. */
  pause(webhook: WebhookRow, reason: string, now: number): void {
    this.#webhooks.setStatus(webhook.ref, "paused", reason);
    this.#events.freeze({ ...webhook, status: "paused" }, now);
    this.#deliveries.skipPending(webhook.ref, now);
  }

  /**
   * When this webhook needs the queue to be told of work. What it was told of is left to it for a minute; what is
   * due later is told when it is due.
   */
  tellAt(webhook: WebhookRow): number | null {
    if (webhook.status !== "active") return null;
    const { next, waiting } = this.#deliveries.horizon(webhook.ref, webhook.told_at);
    const overdue = waiting ? webhook.told_at + webhookRules.redrive : null;
    const at = Math.min(next ?? Number.POSITIVE_INFINITY, overdue ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(at) ? Math.max(at, webhook.put_off_until) : null;
  }
}

/** The receiver has timed out too often, and its pause is over: one attempt may try. */
const isProbing = (webhook: WebhookRow) => webhook.timeouts >= breaker.after;

/** When the attempt after attempt number `made` is due; null after the last. Offsets that have passed are left out. */
function nextAttempt(beganAt: number, made: number, now: number): number | null {
  const later = offsets.slice(made).find((offset) => beganAt + offset > now);
  return later === undefined ? null : beganAt + later;
}
