import {
  type LiveMessage,
  type LiveScans,
  livePing,
  livePong,
  liveReplaced,
  liveRequest,
} from "../../protocol/live.ts";
import { describeError, log } from "../../lib/log.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { requireQr } from "../codes/require-code.ts";

/** How often a stream shows that it is alive, milliseconds. */
const heartbeat = 15_000;
/** Heartbeats between two checks of the client's credentials: a minute. */
const beatsPerCheck = 4;
/** Heartbeats after which a stream ends: an hour. */
const beatsPerStream = 240;
/**
 * How long a client waits before it reconnects, milliseconds. One whose stream gave way to a newer one waits until the
 * streams of clients that have left are closed, so that it takes no other's place.
 */
const retry = { default: 2000, replaced: 30_000 };
/** Characters that wait for a client that reads slowly. Beyond, the stream ends, and its client resumes. */
const maxWaiting = 8 * 1024 * 1024;

/** The scans that a client watches: those of a code, or all. */
export interface Watch {
  /** Scans of this code only. */
  readonly qrId: string | undefined;
  /** The number of the scan to resume after. */
  readonly after: number | undefined;
  /** Whether the client's credentials are still valid. May reject. */
  isAllowed(): Promise<boolean>;
}

/**
 * The scans of the workspace or of one code as they are recorded, as server-sent events. It ends when the client's
 * credentials are no longer valid, when the ledger's connection is lost, when it gives way to a newer one, and after an
 * hour: the client then reconnects.
 * @throws not_found for a code that is not the workspace's, or deleted
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

/** Events from a ledger's socket. Events wait for the client in the order in which they came. */
class LiveStream implements AsyncIterableIterator<string> {
  readonly #socket: WebSocket;
  readonly #waiting: string[] = [`retry: ${retry.default}\n\n`];
  #waitingLength = 0;
  /** The number up to which the client has everything; undefined before the ledger's first message. */
  #number: number | undefined;
  #isAnswered = true;
  #isEnded = false;
  /** Resolves the call of `next` that waits for an event. */
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

  /** The client has left. A call of `next` that waits is left alone: there is no stream to continue. */
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

  /** A comment, with an `id` that lets the client resume here, though it has had no event since. */
  #position(): string {
    return this.#number === undefined ? ":\n\n" : `id: ${this.#number}\n:\n\n`;
  }

  /** Ends the stream once the client has taken what waits. @param last a field to end with */
  #end(last = ""): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting.push(last + this.#position());
    this.#socket.close();
    this.#resume?.();
  }
}

function eventsOf({ number, scans, skipped }: LiveScans): string {
  const shown = scans.map((scan) => event(scan.number, "scan", scan.event));
  return [...shown, ...(skipped > 0 ? [event(number, "skipped", { scans: skipped })] : [])].join("");
}

const event = (id: number, name: string, data: object): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
