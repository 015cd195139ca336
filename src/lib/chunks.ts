/**
 * Splits a list into consecutive chunks whose items' sizes add up to at most `maxSize`. A larger item gets a chunk of
 * its own. Libraries' chunk helpers count items, but queue messages and SQL parameters are limited in bytes.
 */
export function* chunksBySize<T>(
  items: readonly T[],
  maxSize: number,
  sizeOf: (item: T) => number,
): Generator<T[]> {
  let chunk: T[] = [];
  let chunkSize = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (chunk.length > 0 && chunkSize + size > maxSize) {
      yield chunk;
      chunk = [];
      chunkSize = 0;
    }
    chunk.push(item);
    chunkSize += size;
  }
  if (chunk.length > 0) yield chunk;
}
