import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Stripe from "stripe";

/** A POST that was received, its signature verified by a library that is not ours. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly raw: string;
  readonly body: { event: string; deliveryId: string; createdAt: string; data: Record<string, unknown> };
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** How it answers, by path; 200 to all others. */
const answers: Record<string, Answer> = {
  "/hang": () => {},
  "/slow": (_, response) => void setTimeout(() => response.writeHead(200).end(), 11_000).unref(),
  "/redirect": (request, response) =>
    response.writeHead(302, { location: `http://${request.headers.host}/target` }).end(),
  "/endless-headers": ({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const writing = setInterval(() => socket.write(`x-${Math.random()}: more\r\n`), 200);
    socket.once("close", () => clearInterval(writing));
  },
  "/endless-body": (_, response) => {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(1000)));
      if (!response.destroyed) response.once("drain", more);
    };
    more();
  },
};

/** A webhook receiver in this process, on loopback. It can be ended and started again on the same port. */
export class TestReceiver {
  readonly received: Received[] = [];
  /** Of the webhook at a path: what it is signed with. */
  readonly secrets = new Map<string, string>();
  #server: Server | undefined;
  #port = 0;

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.#receive(request, response));
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((post) => post.path === path);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const raw = await text(request);
    const secret = this.secrets.get(path) ?? "";
    try {
      const signature = String(request.headers["x-service-signature"]);
      const body = Stripe.webhooks.constructEvent(raw, signature, secret) as unknown as Received["body"];
      this.received.push({ path, headers: request.headers, raw, body });
    } catch {
      response.writeHead(400).end("bad signature");
      return;
    }
    const answer: Answer = answers[path] ?? ((_, plain) => plain.writeHead(200).end("thanks"));
    answer(request, response);
  }
}
