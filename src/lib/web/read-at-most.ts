import { concat } from "../concat.ts";

/**
 * Returns the first `maxBytes` of a body. `Response.bytes()` would read all of it, and Hono's body limit is only for
 * request bodies.
 * @param discarded how many further bytes are read and dropped; the rest is cancelled unread
 * @throws the signal's reason if it aborts first
 */
export async function readBytesAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
  discarded = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  // Handled here, because a rejection after the last race would count as unhandled.
  aborted.catch(() => {});
  const parts: Uint8Array[] = [];
  let remaining = maxBytes;
  try {
    signal.throwIfAborted();
    while (remaining > -discarded) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) break;
      if (remaining > 0) parts.push(value.subarray(0, remaining));
      remaining -= value.length;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    await reader.cancel().catch(() => {});
  }
  return concat(parts);
}

/** Returns the first `maxBytes` of a body as text, without a character that the limit cuts in two. */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  return new TextDecoder().decode(await readBytesAtMost(body, maxBytes, signal), { stream: true });
}
