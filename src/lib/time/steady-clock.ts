/**
 * Returns a clock that never goes back. If the underlying clock is set back, it continues from the latest time seen.
 * (If it stood still until the underlying clock caught up, nothing would age in the meantime.) Since an unknown time
 * may have passed before the clock was set back, it continues `leap` later, so that everything newer than that counts
 * as older.
 * @param read epoch milliseconds
 * @param leap milliseconds
 */
export function steadyClock(read: () => number, leap: number): () => number {
  let ahead = 0;
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    const now = read() + ahead;
    if (now >= latest) {
      latest = now;
      return now;
    }
    ahead += latest - now + leap;
    latest += leap;
    return latest;
  };
}
