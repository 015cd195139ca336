/** Lets bytes through until they are too many; then the stream fails. @param most bytes */
export function limitBytes(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(chunk, controller) {
      left -= chunk.length;
      if (left < 0) controller.error(new Error(`more than ${most} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
