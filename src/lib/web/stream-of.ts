import { describeError, log } from "../log.ts";

/**
 * A stream that produces each page once the client has taken the previous one. Text becomes UTF-8. A page that fails is
 * logged and ends the download with an error.
 */
export function streamOf(body: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pages.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      } catch (error) {
        log("error", "download interrupted", { error: describeError(error) });
        controller.error(new Error("the download was interrupted"));
      }
    },
    async cancel() {
      await pages.return?.();
    },
  });
}
