import type { List } from "../list.ts";
import type { Transport } from "../transport.ts";
import type {
  AlertAddress,
  CreatedWebhook,
  CreateOptions,
  Deleted,
  Delivery,
  DeliveryWithAttempts,
  NewAlertAddress,
  Query,
  RequestOptions,
  Schema,
  Webhook,
  WebhookInput,
  WebhookSecret,
  WebhookUpdate,
} from "../types.ts";

/** Webhooks and their deliveries. `verifyWebhook` reads what they send. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists webhooks. */
  list(options?: RequestOptions): List<Webhook, Schema<"WebhookList">> {
    return this.#transport.list("listWebhooks", {}, ({ webhooks }) => webhooks, options);
  }

  /** Creates a webhook. Its secret is in this answer only. */
  create(webhook: WebhookInput, options?: CreateOptions): Promise<CreatedWebhook> {
    return this.#transport.json("createWebhook", { body: webhook }, options);
  }

  /** Returns a webhook. */
  get(id: string, options?: RequestOptions): Promise<Webhook> {
    return this.#transport.json("getWebhook", { path: { id } }, options);
  }

  /** Changes, pauses or resumes a webhook. */
  update(id: string, changes: WebhookUpdate, options?: RequestOptions): Promise<Webhook> {
    return this.#transport.json("updateWebhook", { path: { id }, body: changes }, options);
  }

  /** Deletes a webhook and its deliveries. */
  delete(id: string, options?: RequestOptions): Promise<Deleted> {
    return this.#transport.json("deleteWebhook", { path: { id } }, options);
  }

  /** Replaces the secret. For 24 hours, the previous one signs as well. */
  rotate(id: string, options?: RequestOptions): Promise<WebhookSecret> {
    return this.#transport.json("rotateSecret", { path: { id } }, options);
  }

  /** Sends a sample event. */
  test(id: string, options?: RequestOptions): Promise<Delivery> {
    return this.#transport.json("testWebhook", { path: { id } }, options);
  }

  /** Lists deliveries, newest first. */
  deliveries(
    id: string,
    filter: Query<"listDeliveries"> = {},
    options?: RequestOptions,
  ): List<Delivery, Schema<"DeliveryList">> {
    const parts = { path: { id }, query: filter };
    return this.#transport.list("listDeliveries", parts, ({ items }) => items, options);
  }

  /** Returns a delivery with its body and attempts. */
  delivery(id: string, deliveryId: string, options?: RequestOptions): Promise<DeliveryWithAttempts> {
    return this.#transport.json("getDelivery", { path: { id, deliveryId } }, options);
  }
}

/** The address to which a workspace's alerts are sent, when something begins to wait for a person. */
export class Alerts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the address with its last deliveries. */
  get(options?: RequestOptions): Promise<AlertAddress> {
    return this.#transport.json("getAlerts", {}, options);
  }

  /** Sets the address, and resumes it. The first one's secret is in this answer only. */
  set(url: string, options?: RequestOptions): Promise<NewAlertAddress> {
    return this.#transport.json("setAlerts", { body: { url } }, options);
  }

  /** Removes the address. */
  delete(options?: RequestOptions): Promise<Deleted> {
    return this.#transport.json("deleteAlerts", {}, options);
  }

  /** Replaces the secret. For 24 hours, the previous one signs as well. */
  rotate(options?: RequestOptions): Promise<WebhookSecret> {
    return this.#transport.json("rotateAlertSecret", {}, options);
  }

  /** Sends a test alert. */
  test(options?: RequestOptions): Promise<Delivery> {
    return this.#transport.json("testAlerts", {}, options);
  }
}
