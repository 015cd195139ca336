/** Returns a time, epoch milliseconds, in ISO 8601 in UTC; null for null. */
export const isoTime = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();
