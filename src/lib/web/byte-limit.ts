/**
 * Returns a stream that passes bytes on and fails once there are more than `maxBytes`. The platform's streams have no
 * such limit.
 */
export function byteLimit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let remaining = maxBytes;
  return new TransformStream({
    transform(chunk, controller) {
      remaining -= chunk.length;
      if (remaining < 0) controller.error(new Error(`more than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
