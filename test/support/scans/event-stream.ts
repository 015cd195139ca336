import { expect } from "vitest";
import { ScanEvent } from "../../../src/contract/resources/scans/scans.ts";
import type { ApiClient } from "../service.ts";

/** A server-sent event, or, without a name, a comment with the id to resume after. */
export interface ReceivedEvent {
  readonly id: number;
  readonly name: string | undefined;
  readonly data: Record<string, unknown>;
}

/** A client of a stream of scans that reads it like a browser. */
export class EventStream {
  readonly response: Response;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";
  /** The id that a browser would send when it reconnects. */
  lastEventId = "";
  /** How long a browser would wait before reconnecting, milliseconds. */
  retry = 0;

  private constructor(response: Response) {
    this.response = response;
    const body = response.body as ReadableStream<Uint8Array>;
    const decoder = new TextDecoder();
    const decoded = new TransformStream<Uint8Array, string>({
      transform: (bytes, controller) => controller.enqueue(decoder.decode(bytes, { stream: true })),
    });
    this.#reader = body.pipeThrough(decoded).getReader();
  }

  /** Opens a stream and reads its first event. @param after the `Last-Event-ID` */
  static async open(client: ApiClient, path: string, after?: number | string): Promise<EventStream> {
    const headers = after === undefined ? {} : { "last-event-id": String(after) };
    const response = await client.send("GET", path, undefined, headers);
    expect(response.status).toBe(200);
    const stream = new EventStream(response);
    await stream.next();
    expect(stream.retry).toBe(2000);
    expect(await stream.next()).toMatchObject({ name: "ready" });
    return stream;
  }

  /** Returns the next block; undefined at the end. */
  async #block(): Promise<string | undefined> {
    let end = this.#text.indexOf("\n\n");
    while (end < 0) {
      const { done, value } = await this.#reader.read();
      if (done) {
        expect(this.#text).toBe("");
        return undefined;
      }
      this.#text += value;
      end = this.#text.indexOf("\n\n");
    }
    const block = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 2);
    return block;
  }

  /** Returns the next event or comment; undefined at the end. */
  async next(): Promise<ReceivedEvent | undefined> {
    const block = await this.#block();
    if (block === undefined) return undefined;
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
      }),
    );
    const id = fields.get("id");
    if (id !== undefined) this.lastEventId = id;
    this.retry = Number(fields.get("retry") ?? this.retry);
    const data = JSON.parse(fields.get("data") ?? "{}") as Record<string, unknown>;
    const name = fields.get("event");
    if (name === "scan") ScanEvent.strict().parse(data);
    return { id: Number(id), name, data };
  }

  /** Returns the next events, without comments. */
  async take(count: number): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) throw new Error("the stream has ended");
      if (event.name !== undefined) events.push(event);
    }
    return events;
  }

  /** Returns all events until the stream ends, without comments. */
  async rest(): Promise<ReceivedEvent[]> {
    const events: ReceivedEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (event === undefined) return events;
      if (event.name !== undefined) events.push(event);
    }
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}
