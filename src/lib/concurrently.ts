/**
 * Runs work for each item, at most `limit` at a time.
 * @throws the first error of `work`; work in progress continues
 */
export async function concurrently<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // Workers share the iterator.
  const next = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const worker = async () => {
    for (let item = await next.next(); item.done !== true; item = await next.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
