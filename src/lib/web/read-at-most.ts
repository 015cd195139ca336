/**
 * The first `maxBytes` of a body as text; the rest is cancelled unread. `Response.text()` would read all of it, and
 * Hono's body limit is for request bodies only.
 * @throws the signal's reason if it aborts first
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  // Handled here, because a rejection after the last race would count as unhandled.
  aborted.catch(() => {});
  const decoder = new TextDecoder();
  let text = "";
  let remaining = maxBytes;
  try {
    signal.throwIfAborted();
    while (remaining > 0) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) break;
      text += decoder.decode(value.subarray(0, remaining), { stream: true });
      remaining -= value.length;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    await reader.cancel().catch(() => {});
  }
  return text;
}
