import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import Stripe from "stripe";
import { expect } from "vitest";
import type { ServiceEvent } from "../../src/protocol/events.ts";
import type { DueDeliveries } from "../../src/protocol/messages.ts";
import type {
  CreatedWebhook,
  Delivery,
  DeliveryWithAttempts,
  WebhookInput,
} from "../../src/contract/resources/webhooks.ts";
import type { DepsOverrides } from "../../src/composition.ts";
import { getDelivery, listDeliveries } from "../../src/domain/webhooks/deliveries.ts";
import { forwardEvents } from "../../src/domain/webhooks/events.ts";
import { createWebhook } from "../../src/domain/webhooks/webhooks.ts";
import type { EventData } from "../../src/protocol/events.ts";
import { newId } from "../../src/lib/text/ids.ts";
import { type Client, FakeClock, Service } from "./service.ts";

/** A POST as a receiver got it. */
export interface Received {
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  /** Played time, epoch milliseconds. */
  readonly at: number;
}

/** What a receiver does: answers, throws, or never comes back until it is given up. */
export type Receiver = (received: Received, signal: AbortSignal) => Response | Promise<Response>;

export const answers =
  (status: number, body = ""): Receiver =>
  () =>
    new Response(status === 204 ? null : body, { status });

/** Never answers. */
export const hangs: Receiver = (_, signal) =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

const stripe = new Stripe("sk_test_unused", { httpClient: Stripe.createFetchHttpClient() });
const cryptoProvider = Stripe.createSubtleCryptoProvider();

/** Verifies a delivery as a receiver would, with a library that is not ours. */
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
 * A service whose clock, receivers and delivery queue are in a test's hands. Time moves by `advance` alone, which
 * fires the ledger's alarm whenever it is due and runs what the queue is told.
 */
export class WebhookDesk {
  // Ahead of the real clock, so that no alarm ever fires by itself.
  readonly clock = new FakeClock(Date.now() + 7 * 24 * 60 * 60 * 1000);
  readonly received: Received[] = [];
  readonly told: DueDeliveries[] = [];
  receiver: Receiver = answers(200);
  queueIsDown = false;
  readonly service: Service;
  #client: Client | undefined;

  constructor(overrides: DepsOverrides = {}) {
    this.service = new Service({
      now: this.clock.now,
      timeoutSignal: () => AbortSignal.timeout(30),
      fetch: ((url: string, init: RequestInit) => this.#receive(url, init)) as unknown as typeof fetch,
      deliveryQueue: this.#queue() as unknown as Queue<DueDeliveries>,
      ...overrides,
    });
  }

  #queue() {
    return {
      sendBatch: async (messages: Iterable<MessageSendRequest<DueDeliveries>>) => {
        if (this.queueIsDown) throw new Error("queue is away");
        for (const { body } of messages) this.told.push(body);
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

  /** Takes a new workspace in hand. */
  async open(): Promise<this> {
    this.#client = await this.service.workspace();
    return this;
  }

  get client(): Client {
    if (this.#client === undefined) throw new Error("open the desk first");
    return this.#client;
  }

  get owner() {
    return { workspaceId: this.client.workspaceId, plan: "business" } as const;
  }

  get ledger() {
    return env.LEDGERS.get(env.LEDGERS.idFromName(this.client.workspaceId));
  }

  webhook(input: Partial<WebhookInput> = {}): Promise<CreatedWebhook> {
    return createWebhook(this.service.deps, this.owner, {
      url: "https://example.com/hook",
      events: ["qr.created"],
      mode: "realtime",
      ...input,
    });
  }

  /** Makes so many events happen now. */
  async happen(count = 1, data: object = {}): Promise<ServiceEvent[]> {
    const at = this.clock.now();
    const events = Array.from({ length: count }, (_, i) => ({
      id: newId(at),
      kind: "qr.created" as const,
      at,
      // Only what the tests look at: the ledger passes data on as it is.
      data: { id: crypto.randomUUID(), name: `Nº ${i} 🍕`, ...data } as EventData["qr.created"],
    }));
    for (const { id, kind, data } of events) {
      await env.DB.prepare("INSERT INTO outbox VALUES (?, ?, ?, ?, ?)")
        .bind(id, this.client.workspaceId, kind, JSON.stringify(data), at)
        .run();
    }
    await forwardEvents(this.service.deps, this.client.workspaceId);
    return events;
  }

  /** Runs what the queue was told, and what that tells it, until it is silent. */
  async run(service = this.service): Promise<void> {
    while (this.told.length > 0) {
      await service.consume(
        "deliveries",
        this.told.splice(0).map((body) => ({ body })),
      );
    }
  }

  /** Something happens, and all that follows at once. */
  async happenAndRun(count = 1, data: object = {}): Promise<ServiceEvent[]> {
    const events = await this.happen(count, data);
    await this.run();
    return events;
  }

  /** Moves the clock, stopping wherever the ledger's alarm is due. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.clock.now() + milliseconds;
    for (;;) {
      const due = await runInDurableObject(this.ledger, async (instance, state) => {
        Object.assign(instance, { env: { ...env, DELIVERIES: this.#queue() } });
        return state.storage.getAlarm();
      });
      if (due === null || due > end) break;
      this.clock.advance(Math.max(0, due - this.clock.now()));
      await runDurableObjectAlarm(this.ledger);
      await this.run();
    }
    this.clock.advance(end - this.clock.now());
  }

  async deliveries(webhookId: string, status?: Delivery["status"]): Promise<Delivery[]> {
    const { items } = await listDeliveries(this.service.deps, this.owner, webhookId, { status, limit: 200 });
    return items;
  }

  delivery(webhookId: string, id: string): Promise<DeliveryWithAttempts> {
    return getDelivery(this.service.deps, this.owner, webhookId, id);
  }
}
