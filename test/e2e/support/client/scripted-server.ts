import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request as it arrived. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** An HTTP server that answers as it is told, and keeps what it was asked. */
export class ScriptedServer implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param answer is given the requests so far, this one included */
  static async start(
    answer: (request: SeenRequest, response: ServerResponse, count: number) => void,
  ): Promise<ScriptedServer> {
    const server = createServer(async (request, response) => {
      const body = await text(request);
      const { method = "", url = "", headers } = request;
      const seen = { method, url, headers, body };
      scripted.seen.push(seen);
      answer(seen, response, scripted.seen.length);
    });
    const scripted = new ScriptedServer(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return scripted;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
