/** A list in consecutive chunks, each at most `size` by the sum of its items' sizes. A larger item is a chunk by itself. */
export function* chunksBySize<T>(
  items: readonly T[],
  size: number,
  sizeOf: (item: T) => number,
): Generator<T[]> {
  let chunk: T[] = [];
  let total = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (chunk.length > 0 && total + own > size) {
      yield chunk;
      chunk = [];
      total = 0;
    }
    chunk.push(item);
    total += own;
  }
  if (chunk.length > 0) yield chunk;
}
