import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import Stripe from "stripe";
import { expect } from "vitest";
import type { DepsOverrides } from "../../src/composition.ts";
import type { EventData } from "../../src/contract/resources/webhooks/events.ts";
import type {
  CreatedWebhook,
  Delivery,
  DeliveryWithAttempts,
  WebhookInput,
} from "../../src/contract/resources/webhooks/webhooks.ts";
import { serviceContext } from "../../src/domain/context/context.ts";
import { forwardEvents } from "../../src/domain/events/forwarding.ts";
import { getDelivery, listDeliveries } from "../../src/domain/webhooks/deliveries.ts";
import { createWebhook } from "../../src/domain/webhooks/webhooks.ts";
import { newId } from "../../src/lib/text/ids.ts";
import type { ServiceEvent } from "../../src/protocol/events.ts";
import type { DueDeliveries } from "../../src/protocol/messages.ts";
import { webhookRules } from "../../src/protocol/webhook-rules.ts";
import { type Client, FakeClock, Service } from "./service.ts";

/** A POST as received. */
export interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** Simulated time, epoch milliseconds. */
  readonly at: number;
}

/** A receiver's behaviour: it responds, throws, or hangs until the request is aborted. */
export type Receiver = (received: Received, signal: AbortSignal) => Response | Promise<Response>;

export const answers =
  (status: number, body = ""): Receiver =>
  () =>
    new Response(status === 204 ? null : body, { status });

/** Never responds. */
export const hangs: Receiver = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

const stripe = new Stripe("sk_test_unused", { httpClient: Stripe.createFetchHttpClient() });
const cryptoProvider = Stripe.createSubtleCryptoProvider();

/** Verifies a delivery as a receiver would, with a third-party library. */
export const verify = (received: Received, secret: string, body = received.body) =>
  stripe.webhooks.constructEventAsync(
    body,
    received.headers.get("x-service-signature") ?? "",
    secret,
    300,
    cryptoProvider,
    received.at,
  );

/**
 * A service whose clock, receivers and delivery queue a test controls. Time only moves with `advance`, which fires the
 * ledger's alarm whenever it is due and consumes the queued messages.
 */
export class WebhookHarness {
  // Ahead of the real clock, so that no alarm ever fires by itself.
  readonly clock = new FakeClock(Date.now() + 7 * 24 * 60 * 60 * 1000);
  readonly received: Received[] = [];
  readonly queued: DueDeliveries[] = [];
  receiver: Receiver = answers(200);
  queueUnavailable = false;
  readonly service: Service;
  #client: Client | undefined;

  constructor(overrides: DepsOverrides = {}) {
    this.service = new Service({
      now: this.clock.now,
      startTimer: (ms, onEnd) => {
        const timer = setTimeout(onEnd, ms === webhookRules.timeout ? 30 : ms);
        return () => clearTimeout(timer);
      },
      fetch: ((url: string, init: RequestInit) => this.#receive(url, init)) as unknown as typeof fetch,
      deliveryQueue: this.#queue() as unknown as Queue<DueDeliveries>,
      ...overrides,
    });
  }

  #queue() {
    return {
      sendBatch: async (messages: Iterable<MessageSendRequest<DueDeliveries>>) => {
        if (this.queueUnavailable) throw new Error("queue is unavailable");
        for (const { body } of messages) this.queued.push(body);
      },
    };
  }

  async #receive(url: string, init: RequestInit): Promise<Response> {
    expect(init).toMatchObject({ method: "POST", redirect: "manual" });
    const received = {
      url,
      headers: new Headers(init.headers),
      body: init.body as string,
      at: this.clock.now(),
    };
    this.received.push(received);
    return this.receiver(received, init.signal as AbortSignal);
  }

  /** Creates the workspace that the other methods use. */
  async createWorkspace(): Promise<this> {
    this.#client = await this.service.workspace();
    return this;
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error("create a workspace first");
    return this.#client;
  }

  get owner() {
    return serviceContext(this.client.workspaceId, "business");
  }

  get ledger() {
    return env.LEDGERS.get(env.LEDGERS.idFromName(this.client.workspaceId));
  }

  createWebhook(input: Partial<WebhookInput> = {}): Promise<CreatedWebhook> {
    return createWebhook(this.service.deps, this.owner, {
      url: "https://example.com/hook",
      events: ["qr.created"],
      mode: "realtime",
      ...input,
    });
  }

  /** Adds `count` events to the outbox and forwards them to the ledger. */
  async emitEvents(count = 1, data: object = {}): Promise<ServiceEvent[]> {
    const at = this.clock.now();
    const events = Array.from({ length: count }, (_, i) => ({
      id: newId(at),
      kind: "qr.created" as const,
      at,
      // Only the fields that the tests read, because the ledger doesn't interpret the others.
      data: { id: crypto.randomUUID(), name: `Nº ${i} 🍕`, ...data } as EventData["qr.created"],
    }));
    await env.DB.prepare(
      `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
       SELECT value->>'id', ?1, value->>'kind', value->'data', ?2 FROM json_each(?3)`,
    )
      .bind(this.client.workspaceId, at, JSON.stringify(events))
      .run();
    await forwardEvents(this.service.deps, this.client.workspaceId);
    return events;
  }

  /** Consumes queued messages, each in its own batch, including those that this enqueues, until the queue is empty. */
  async runQueue(service = this.service): Promise<void> {
    while (this.queued.length > 0) {
      await Promise.all(this.queued.splice(0).map((body) => service.consume("deliveries", [{ body }])));
    }
  }

  /** Emits events and makes all attempts that are due immediately. */
  async emitAndDeliver(count = 1, data: object = {}): Promise<ServiceEvent[]> {
    const events = await this.emitEvents(count, data);
    await this.runQueue();
    return events;
  }

  /** Moves the clock, stopping whenever the ledger's alarm is due. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    let due = await this.#nextAlarm();
    while (due !== null && due <= end) {
      this.clock.advance(Math.max(0, due - this.clock.now()));
      await runDurableObjectAlarm(this.ledger);
      await this.runQueue();
      due = await this.#nextAlarm();
    }
    this.clock.advance(end - this.clock.now());
  }

  /** Returns the time of the ledger's alarm, after making it use this harness's queue. */
  #nextAlarm(): Promise<number | null> {
    return runInDurableObject(this.ledger, async (instance, state) => {
      Object.assign(instance, { env: { ...env, DELIVERIES: this.#queue() } });
      return state.storage.getAlarm();
    });
  }

  /** Stores deliveries that have failed, as their attempts would in a day. @returns their ids */
  async storeFailed(webhookId: string, count: number): Promise<string[]> {
    const at = this.clock.now();
    const rows = Array.from({ length: count }, () => ({ id: newId(at), event: crypto.randomUUID() }));
    await runInDurableObject(this.ledger, (_, { storage }) => {
      storage.sql.exec(
        `INSERT INTO deliveries (id, webhook, event_id, event, body, status, attempts, created_at, first_attempt_at,
           completed_at)
         SELECT value->>'id', (SELECT ref FROM webhooks WHERE id = ?1), value->>'event', 'qr.created', '{}', 'failed', 8,
           ?2, ?2, ?2 FROM json_each(?3)`,
        webhookId,
        at,
        JSON.stringify(rows),
      );
    });
    return rows.map(({ id }) => id);
  }

  /** Makes the ledger as it is when this many deliveries in a row have used up their attempts. */
  async haveFailed(count: number): Promise<void> {
    await runInDurableObject(this.ledger, (_, { storage }) => {
      storage.sql.exec("UPDATE webhooks SET consecutive_failures = ?", count);
    });
  }

  async deliveries(webhookId: string, status?: Delivery["status"]): Promise<Delivery[]> {
    const { items } = await listDeliveries(this.service.deps, this.owner, webhookId, { status, limit: 200 });
    return items;
  }

  delivery(webhookId: string, id: string): Promise<DeliveryWithAttempts> {
    return getDelivery(this.service.deps, this.owner, webhookId, id);
  }
}
