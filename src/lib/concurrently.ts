/**
 * Runs work for each item, at most `limit` at a time.
 * @throws the first error of `work`; work in progress continues
 */
export async function concurrently<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // Workers share the iterator.
  const next = items[Symbol.iterator]();
  const worker = async () => {
    for (let item = next.next(); item.done !== true; item = next.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
