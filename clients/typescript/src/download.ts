import { connectionError } from "./errors.ts";
import type { TimeLimit } from "./time-limit.ts";

/** A file that arrives as a stream. Read it once: as `stream`, `text()`, `bytes()` or `lines()`. */
export class Download {
  /** Its bytes as they arrive. Cancel it to end the download. */
  readonly stream: ReadableStream<Uint8Array>;
  /** Its media type, as in `text/csv`. */
  readonly type: string;

  /** @param url where it is from */
  constructor(response: Response, limit: TimeLimit, url: string) {
    this.type = (response.headers.get("content-type") ?? "").replace(/;.*/, "");
    this.stream = withinTime(response, limit, url);
  }

  /** Reads all of it as text in UTF-8. */
  text(): Promise<string> {
    return new Response(this.stream).text();
  }

  /** Reads all of it into memory. */
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await new Response(this.stream).arrayBuffer());
  }

  /** Reads it line by line, without the ends of lines. Each line of an NDJSON export is a JSON object. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    const reader = this.stream.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        const lines = (rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split(
          /\r?\n/,
        );
        rest = lines.pop() ?? "";
        yield* lines;
        if (!done) continue;
        if (rest !== "") yield rest;
        return;
      }
    } finally {
      await reader.cancel();
    }
  }
}

/** Returns the body of an answer, which may pause no longer than the limit. */
function withinTime(response: Response, limit: TimeLimit, url: string): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      limit.extend();
      try {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        // Its reader may take its time.
        limit.rest();
        if (value !== undefined) controller.enqueue(value);
        if (!done) return;
        limit.end();
        controller.close();
      } catch (cause) {
        limit.end();
        const { signal } = limit;
        throw signal.aborted
          ? signal.reason
          : connectionError("There is no more of the download from", url, cause);
      }
    },
    async cancel(reason) {
      limit.end();
      await reader?.cancel(reason);
    },
  });
}
