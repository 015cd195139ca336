import { setTimeout as delay } from "node:timers/promises";
import { origin } from "../scripts/lib/seed.ts";
import { phone } from "./compare.ts";
import type { Server } from "./load/server.ts";

/** Sends requests of one workspace, and scans. Every method throws on an unexpected response. */
export class Client {
  readonly #service: Server;
  readonly #key: string;
  readonly #cookie: string;

  /** @param cookie of a member of the key's workspace */
  constructor(service: Server, key: string, cookie: string) {
    this.#service = service;
    this.#key = key;
    this.#cookie = cookie;
  }

  async createWebhook(url: string): Promise<void> {
    const body = { url, events: ["qr.created"] };
    await this.#send("POST", "/developer/webhooks", { cookie: this.#cookie, origin }, body);
  }

  /** @param i makes its address unique */
  async createCode(i: number): Promise<{ id: string; hash: string }> {
    return JSON.parse(await this.#send("POST", "/qr", this.#withKey, code(i))) as {
      id: string;
      hash: string;
    };
  }

  /** Pauses a code. */
  async pause(id: string): Promise<void> {
    await this.#send("PATCH", `/qr/${id}`, this.#withKey, { status: "paused" });
  }

  /** Returns how many scans of a code got no target. */
  async closedScans(id: string): Promise<number> {
    const answer = JSON.parse(await this.#send("GET", `/qr/${id}/scans`, this.#withKey)) as {
      closed: { total: number };
    };
    return answer.closed.total;
  }

  /** Creates codes with a bulk job. Resolves when the last one exists. */
  async createCodes(count: number): Promise<void> {
    const tag = crypto.randomUUID();
    const items = Array.from({ length: count }, (_, i) => ({
      ...code(i),
      tags: i === count - 1 ? [tag] : [],
    }));
    await this.#send("POST", "/qr/bulk", this.#withKey, { items });
    // Polling the job itself, whose response has all items, would be a load of its own.
    while ((await this.#send("GET", `/qr?tag=${tag}`, this.#withKey)).includes('"items":[]')) await delay(50);
  }

  /** Gives all codes another host by a bulk job, and waits until it is completed. */
  async changeHosts(from: string, to: string): Promise<void> {
    const body = { filter: {}, change: { replace: { host: { from, to } } } };
    await this.#untilCompleted(await this.#send("POST", "/qr/bulk-update", this.#withKey, body));
  }

  /** Creates codes with own ids on a host or, sent again, changes them to it. Resolves when the job is completed. */
  async upsertCodes(count: number, host: string): Promise<void> {
    const items = Array.from({ length: count }, (_, i) => ({
      ...{ qrType: "url", externalId: `own ${i}`, data: { type: "url", url: `https://${host}/${i}` } },
    }));
    const path = "/qr/bulk?upsert=externalId";
    await this.#untilCompleted(await this.#send("POST", path, this.#withKey, { items }));
  }

  /** Asks as an agent what changing the host of all codes on it would do. */
  async dryRunAsAgent(from: string, to: string): Promise<void> {
    const input = { filter: { destinationHost: from }, change: { replace: { host: { from, to } } } };
    const params = { name: "change_codes", arguments: input };
    const response = await fetch(`${this.#service.origin}/mcp`, {
      method: "POST",
      headers: {
        ...this.#withKey,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    const text = await response.text();
    if (!response.ok || !text.includes('"token"')) throw new Error(`dry run: ${response.status} ${text}`);
  }

  async scan(hash: string): Promise<void> {
    const init = { headers: { "user-agent": phone }, redirect: "manual" } as const;
    const response = await fetch(`${this.#service.origin}/${hash}`, init);
    await response.text();
    if (response.status !== 302) throw new Error(`scan: ${response.status}`);
  }

  /** @param answer that began a bulk job */
  async #untilCompleted(answer: string): Promise<void> {
    const { jobId } = JSON.parse(answer) as { jobId: string };
    const path = `/qr/bulk/${jobId}?items=none`;
    while (!(await this.#send("GET", path, this.#withKey)).includes('"completed"')) await delay(50);
  }

  get #withKey() {
    return { authorization: `Bearer ${this.#key}` };
  }

  async #send(method: string, path: string, credentials: object, body?: object): Promise<string> {
    const response = await fetch(`${this.#service.origin}/api/v1${path}`, {
      method,
      headers: { ...credentials, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text;
  }
}

const code = (i: number) => ({ qrType: "url", data: { type: "url", url: `https://example.com/${i}` } });
