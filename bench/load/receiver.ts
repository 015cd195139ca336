import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** Time allowed for the next delivery to arrive, in milliseconds. */
const timeout = 120_000;

/** A webhook receiver that responds at `/healthy` and never responds at `/hanging`. */
export class Receiver implements AsyncDisposable {
  /** The `performance.now()` of each event's arrival, by the id of its code. */
  readonly arrivedAt = new Map<string, number>();
  /** How many deliveries it has received at `/healthy`. */
  deliveries = 0;
  /** How many requests to `/hanging` it has received. */
  hangingRequests = 0;
  readonly #server = createServer((request, response) => {
    if (request.url === "/hanging") {
      this.hangingRequests += 1;
      return;
    }
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const event = JSON.parse(body) as { data: { id: string } };
      this.deliveries += 1;
      this.arrivedAt.set(event.data.id, performance.now());
      response.end();
    });
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await once(receiver.#server.listen(0, "127.0.0.1"), "listening");
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Waits until a condition on the events received so far holds. @throws if none arrives for a while */
  async waitUntil(condition: () => boolean): Promise<void> {
    let arrived = this.deliveries;
    for (let end = performance.now() + timeout; !condition(); await delay(20)) {
      if (this.deliveries > arrived) end = performance.now() + timeout;
      arrived = this.deliveries;
      if (performance.now() > end) throw new Error(`events are missing: ${arrived} arrived`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
