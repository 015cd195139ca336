import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Benchmark } from "./benchmark.ts";
import { buildService } from "./build.ts";
import { Server } from "./load/server.ts";
import { median, table } from "./results.ts";
import { apiKey, memberCookie, origin } from "./seed.ts";

/** The time from a request that creates a code to its event's arrival at a receiver. */
export const webhooks: Benchmark = {
  title: "Webhooks",
  async run({ smoke }) {
    const sizes = smoke
      ? { backlog: 20, samples: 3, pause: 0 }
      : { backlog: 10_000, samples: 100, pause: 200 };
    const placement = { pinned: false };
    await using receiver = await Receiver.start();
    await using service = await Server.start("service", { size: 0, script: await buildService() }, placement);
    const client = new Client(service, await memberCookie());

    /** Creates codes one after another. @returns milliseconds from each request to its event's arrival, ascending */
    const latencies = async () => {
      const sent: { id: string; at: number }[] = [];
      for (let i = 0; i < sizes.samples; i += 1) {
        const at = performance.now();
        sent.push({ id: await client.createCode(i), at });
        await delay(sizes.pause);
      }
      await receiver.waitUntil(() => sent.every(({ id }) => receiver.arrivedAt.has(id)));
      return sent.map(({ id, at }) => (receiver.arrivedAt.get(id) ?? Number.NaN) - at).sort((a, b) => a - b);
    };

    await client.createWebhook(`${receiver.origin}/healthy`);
    const alone = await latencies();
    await client.createWebhook(`${receiver.origin}/hanging`);
    // The codes of a bulk job are events for both webhooks, and so make the second one's backlog.
    await client.createCodes(sizes.backlog);
    await receiver.waitUntil(() => receiver.arrivedAt.size >= sizes.samples + sizes.backlog);
    const besideHanging = await latencies();

    const row = (title: string, values: readonly number[]) => [
      title,
      `${median(values).toFixed(0)} ms`,
      `${quantile(values, 0.95).toFixed(0)} ms`,
      `${quantile(values, 1).toFixed(0)} ms`,
    ];
    return (
      `Time from a request that creates a code to the arrival of its qr.created event at a receiver, ${sizes.samples} ` +
      `times: alone, and beside a second receiver that never answers and has a backlog of ${sizes.backlog} deliveries (with ` +
      `${receiver.hangingRequests} attempts in that time).\n\n` +
      table(
        ["", "p50", "p95", "slowest"],
        [row("alone", alone), row("beside a hanging receiver", besideHanging)],
      )
    );
  },
};

const quantile = (sorted: readonly number[], fraction: number) =>
  sorted[Math.ceil(sorted.length * fraction) - 1] ?? Number.NaN;

/** Time allowed for deliveries to arrive, in milliseconds. */
const timeout = 300_000;

/** A webhook receiver that responds at `/healthy` and never at `/hanging`. */
class Receiver implements AsyncDisposable {
  /** The `performance.now()` of each event's arrival, by the id of its code. */
  readonly arrivedAt = new Map<string, number>();
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

  /** Waits until a condition on the arrived events holds. @throws on a time-out */
  async waitUntil(condition: () => boolean): Promise<void> {
    for (const end = performance.now() + timeout; !condition(); await delay(20)) {
      if (performance.now() > end)
        throw new Error(`events are missing: ${this.arrivedAt.size} arrived in ${timeout} ms`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Creates webhooks and codes. */
class Client {
  readonly #service: Server;
  readonly #cookie: string;

  constructor(service: Server, cookie: string) {
    this.#service = service;
    this.#cookie = cookie;
  }

  async createWebhook(url: string): Promise<void> {
    await this.#post(
      "/developer/webhooks",
      { url, events: ["qr.created"] },
      { cookie: this.#cookie, origin },
    );
  }

  /** @returns the code's id */
  async createCode(i: number): Promise<string> {
    return (await this.#post("/qr", code(i), withKey)).id;
  }

  async createCodes(count: number): Promise<void> {
    await this.#post("/qr/bulk", { items: Array.from({ length: count }, (_, i) => code(i)) }, withKey);
  }

  async #post(path: string, body: object, headers: Record<string, string>): Promise<{ id: string }> {
    const response = await fetch(`${this.#service.origin}/api/v1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  }
}

const withKey = { authorization: `Bearer ${apiKey}` };
const code = (i: number) => ({ qrType: "url", data: { type: "url", url: `https://example.com/${i}` } });
