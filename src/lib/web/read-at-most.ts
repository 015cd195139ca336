/**
 * The first bytes of a body as text; what follows is let go unread.
 * @throws when the signal aborts first
 */
export async function readAtMost(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  signal: AbortSignal,
): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  // Without a reader of its own, a rejection that loses the race would count as unhandled.
  aborted.catch(() => {});
  const decoder = new TextDecoder();
  let text = "";
  let left = most;
  try {
    signal.throwIfAborted();
    while (left > 0) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) break;
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  return text;
}
