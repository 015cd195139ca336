import { describeError, log } from "../log.ts";
import type { Timers } from "../with-timeout.ts";

/** How long a download waits for its client to read, milliseconds. */
export const stallTimeout = 60_000;

/**
 * Returns a stream that produces each page once the client has read the previous one. Text becomes UTF-8. A failing
 * page is logged and ends the download with an error.
 * @param timers end the download if its client reads nothing for `stallTimeout`; without them it waits indefinitely
 */
export function streamOf(
  body: AsyncIterable<string | Uint8Array>,
  timers?: Timers,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = body[Symbol.asyncIterator]();
  let stopTimer: (() => void) | undefined;
  return new ReadableStream({
    async pull(controller) {
      stopTimer?.();
      try {
        const { done, value } = await pages.next();
        if (done) {
          controller.close();
          return;
        }
        controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        stopTimer = timers?.startTimer(stallTimeout, () => {
          log("info", "download ended; its client read nothing");
          controller.error(new Error("the download was ended; the client read nothing"));
          void pages.return?.();
        });
      } catch (error) {
        log("error", "download interrupted", { error: describeError(error) });
        controller.error(new Error("the download was interrupted"));
      }
    },
    async cancel() {
      stopTimer?.();
      await pages.return?.();
    },
  });
}
