import { describeError, log } from "../../lib/log.ts";
import {
  type LiveMessage,
  type LiveScans,
  livePing,
  livePong,
  liveReplaced,
  liveRequest,
} from "../../protocol/live.ts";
import { requireQr } from "../codes/require-code.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { withVia } from "./list.ts";

/** How often a stream sends a sign of life, milliseconds. */
const heartbeat = 15_000;
/** Heartbeats between checks of the client's credentials: one minute. */
const beatsPerCheck = 4;
/** Heartbeats after which a stream ends: one hour. */
const beatsPerStream = 240;
/**
 * How long a client waits before it reconnects, milliseconds. A client whose stream was replaced waits until the
 * streams of departed clients are closed, so that it doesn't replace another one in turn.
 */
const retry = { default: 2000, replaced: 30_000 };
/** Characters buffered for a slow client. Beyond that the stream ends, and the client resumes. */
const maxWaiting = 8 * 1024 * 1024;

/** The scans that a client watches: a code's, or all. */
export interface Watch {
  /** Scans of this code only. */
  readonly qrId: string | undefined;
  /** The number of the scan to resume after. */
  readonly after: number | undefined;
  /** Returns whether the client's credentials are still valid. May reject. */
  isAllowed(): Promise<boolean>;
}

/**
 * Streams the scans of the workspace or of one code as they are recorded, as server-sent events. The stream ends when
 * the client's credentials become invalid, when the connection to the ledger is lost, when a newer stream replaces it,
 * and after an hour; clients then reconnect.
 * @throws not_found for a deleted code or one of another workspace
 */
export async function watchScans(
  deps: Deps,
  context: WorkspaceContext,
  { qrId, after, isAllowed }: Watch,
): Promise<AsyncIterableIterator<string>> {
  const qr = qrId === undefined ? undefined : await requireQr(deps, context, qrId);
  const request = liveRequest({ qrId: qr?.id ?? null, after: after ?? null });
  const { webSocket } = await deps.ledger(context.workspaceId).fetch(request);
  if (webSocket === null) throw new Error("the ledger opened no live connection");
  return new LiveStream(deps, webSocket, isAllowed);
}

/** Events from a ledger's socket, queued for the client in order. */
class LiveStream implements AsyncIterableIterator<string> {
  readonly #socket: WebSocket;
  readonly #waiting: string[] = [`retry: ${retry.default}\n\n`];
  #waitingLength = 0;
  /** The number up to which the client has received everything; undefined before the ledger's first message. */
  #number: number | undefined;
  #isAnswered = true;
  #isEnded = false;
  /** Resolves the pending call of `next`. */
  #resume: (() => void) | undefined;

  constructor(deps: Deps, socket: WebSocket, isAllowed: Watch["isAllowed"]) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    socket.addEventListener("close", ({ code }) =>
      this.#end(code === liveReplaced ? `retry: ${retry.replaced}\n` : ""),
    );
    socket.addEventListener("error", () => this.#end());
    socket.accept();
    void this.#beat(deps, isAllowed);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string>> {
    while (this.#waiting.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
    const value = this.#waiting.join("");
    this.#waiting.length = 0;
    this.#waitingLength = 0;
    return value === "" ? { done: true, value: undefined } : { done: false, value };
  }

  /** The client has left. A pending call of `next` is left alone, because there is no stream to continue. */
  async return(): Promise<IteratorResult<string>> {
    this.#resume = undefined;
    this.#end();
    return { done: true, value: undefined };
  }

  #receive(data: string): void {
    this.#isAnswered = true;
    if (data === livePong || this.#isEnded) return;
    const message = JSON.parse(data) as LiveMessage;
    if ("start" in message) {
      this.#number = message.start;
      this.#push(event(message.start, "ready", { latest: message.latest }));
    } else {
      this.#number = message.number;
      this.#push(eventsOf(message));
    }
  }

  #push(text: string): void {
    if (text === "" || this.#isEnded) return;
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    this.#resume?.();
    if (this.#waitingLength > maxWaiting) this.#end();
  }

  async #beat(deps: Deps, isAllowed: Watch["isAllowed"]): Promise<void> {
    try {
      for (let beats = 1; beats <= beatsPerStream; beats += 1) {
        await deps.pause(heartbeat);
        if (this.#isEnded || !this.#isAnswered) break;
        if (beats % beatsPerCheck === 0 && !(await isAllowed())) break;
        this.#push(this.#position());
        this.#isAnswered = false;
        this.#socket.send(livePing);
      }
    } catch (error) {
      log("warn", "live connection ended early", { error: describeError(error) });
    } finally {
      this.#end();
    }
  }

  /** A comment with an `id`, which lets the client resume here although it has received no event since. */
  #position(): string {
    return this.#number === undefined ? ":\n\n" : `id: ${this.#number}\n:\n\n`;
  }

  /** Ends the stream once the client has received everything in the queue. @param last a field to end with */
  #end(last = ""): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting.push(last + this.#position());
    this.#socket.close();
    this.#resume?.();
  }
}

function eventsOf({ number, scans, skipped }: LiveScans): string {
  const shown = scans.map((scan) => event(scan.number, "scan", withVia(scan.event)));
  return [...shown, ...(skipped > 0 ? [event(number, "skipped", { scans: skipped })] : [])].join("");
}

const event = (id: number, name: string, data: object): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
