/**
 * A clock that never goes back. When the clock it reads is set back, it goes on from the latest time that was seen. If it
 * stood still until the other has caught up, everything would keep its age for as long. It is not known how much time had
 * passed unseen when the clock was set back, so it goes on `leap` later: what was newer than that counts as older.
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
