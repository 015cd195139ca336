/**
 * A list in consecutive slices, each at most `size` by the sum of its items' sizes (a larger item stands alone).
 * Used to keep parameters below D1's 2 MB.
 */
export function* slicesBySize<T>(
  items: readonly T[],
  size: number,
  sizeOf: (item: T) => number,
): Generator<T[]> {
  let slice: T[] = [];
  let total = 0;
  for (const item of items) {
    const own = sizeOf(item);
    if (slice.length > 0 && total + own > size) {
      yield slice;
      slice = [];
      total = 0;
    }
    slice.push(item);
    total += own;
  }
  if (slice.length > 0) yield slice;
}
