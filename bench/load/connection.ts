import { connect, type Socket } from "node:net";

interface NextRequest {
  /** The whole request, head and body. */
  readonly bytes: Buffer;
  /** A response to HEAD has no body, whatever its headers say. */
  readonly isHead: boolean;
  readonly index: number;
}

export interface ConnectionOptions {
  readonly hostname: string;
  readonly port: number;
  /** Time allowed for a response, in milliseconds. */
  readonly timeout: number;
  /** Returns the next request to send, or undefined to end the connection. */
  next(now: number): NextRequest | undefined;
  onResponse(index: number, status: number, milliseconds: number): void;
}

const lastChunk = "0\r\n\r\n";

/** A keep-alive connection with one request at a time. It reads only the status and length of a response. */
export class Connection {
  /** Resolves when `next` returns no more requests. Rejects if the connection fails first. */
  readonly ended: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  #request: NextRequest | undefined;
  #sentAt = 0;
  /** The part of the response's head received so far. */
  #head = "";
  #status = 0;
  /** Bytes of the body still to be received: undefined before the head is complete, -1 for a chunked body. */
  #remaining: number | undefined;
  /** The last characters of a chunked body. */
  #tail = "";
  #finish = () => {};

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { hostname, port, timeout } = options;
    const buffer = Buffer.allocUnsafe(64 * 1024);
    this.#socket = connect({
      host: hostname,
      port,
      noDelay: true,
      // One buffer for all reads.
      onread: {
        buffer,
        callback: (length) => {
          this.#read(buffer.toString("latin1", 0, length));
          return true;
        },
      },
    });
    this.ended = new Promise((resolve, reject) => {
      this.#finish = resolve;
      this.#socket
        .once("connect", () => this.#send(performance.now()))
        .once("error", reject)
        .once("close", () => reject(new Error(`the connection closed before the response: ${this.#head}`)))
        .setTimeout(timeout, () => reject(new Error(`no response in ${timeout} ms`)));
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #send(now: number): void {
    const request = this.#options.next(now);
    this.#request = request;
    if (request === undefined) {
      this.#finish();
      return;
    }
    this.#sentAt = now;
    this.#head = "";
    this.#remaining = undefined;
    this.#socket.write(request.bytes);
  }

  #read(text: string): void {
    if (this.#remaining !== undefined) {
      this.#readBody(text);
      return;
    }
    const head = this.#head === "" ? text : this.#head + text;
    const end = head.indexOf("\r\n\r\n");
    this.#head = head;
    if (end === -1) return;
    this.#status = Number(head.slice(9, 12));
    this.#remaining = this.#request?.isHead ? 0 : bodyLength(head.slice(0, end + 2));
    this.#tail = "";
    this.#readBody(head.slice(end + 4));
  }

  #readBody(text: string): void {
    if (this.#remaining === -1) {
      this.#tail = (this.#tail + text).slice(-lastChunk.length);
      if (this.#tail !== lastChunk) return;
    } else {
      this.#remaining = (this.#remaining ?? 0) - text.length;
      if (this.#remaining > 0) return;
    }
    const now = performance.now();
    this.#options.onResponse(this.#request?.index ?? 0, this.#status, now - this.#sentAt);
    this.#send(now);
  }
}

/** Returns the length of a body in bytes, according to its head; -1 for a chunked one. */
function bodyLength(head: string): number {
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return /\r\ntransfer-encoding: *chunked\r\n/i.test(head) ? -1 : 0;
}
