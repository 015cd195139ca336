import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Stripe from "stripe";

/** A POST whose signature was verified by Stripe's library. */
export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly raw: string;
  readonly body: { event: string; deliveryId: string; createdAt: string; data: Record<string, unknown> };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Handlers by path; other paths answer 200. */
const handlers: Record<string, Handler> = {
  "/hang": () => {},
  "/slow": (_, response) => void setTimeout(() => response.writeHead(200).end(), 11_000).unref(),
  "/gzip-empty": (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(),
  "/gzip-broken": (_, response) => response.writeHead(202, { "content-encoding": "gzip" }).end("thanks"),
  "/br-broken": (_, response) => response.writeHead(201, { "content-encoding": "br" }).end("thanks"),
  "/cut-off": ({ socket }) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nthanks"),
  "/bad-chunks": ({ socket }) =>
    socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nno size\r\n"),
  "/late-body": (_, response) => response.writeHead(200).flushHeaders(),
  "/gzip-refused": (_, response) => response.writeHead(500, { "content-encoding": "gzip" }).end(),
  "/redirect": (request, response) =>
    response.writeHead(302, { location: `http://${request.headers.host}/target` }).end(),
  "/endless-headers": ({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    const timer = setInterval(() => socket.write(`x-${Math.random()}: more\r\n`), 200);
    socket.once("close", () => clearInterval(timer));
  },
  "/endless-body": (_, response) => {
    response.writeHead(200);
    const fill = () => {
      while (!response.destroyed && response.write("x".repeat(1000)));
      if (!response.destroyed) response.once("drain", fill);
    };
    fill();
  },
};

/** A webhook receiver in this process. It can be stopped and restarted on the same port. */
export class TestReceiver {
  readonly received: ReceivedPost[] = [];
  /** Signing secrets by the path of their webhook. */
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

  at(path: string): ReceivedPost[] {
    return this.received.filter((post) => post.path === path);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const raw = await text(request);
    const secret = this.secrets.get(path) ?? "";
    try {
      const signature = String(request.headers["x-service-signature"]);
      const body = Stripe.webhooks.constructEvent(raw, signature, secret) as unknown as ReceivedPost["body"];
      this.received.push({ path, headers: request.headers, raw, body });
    } catch {
      response.writeHead(400).end("bad signature");
      return;
    }
    const handle: Handler = handlers[path] ?? ((_, plain) => plain.writeHead(200).end("thanks"));
    handle(request, response);
  }
}
