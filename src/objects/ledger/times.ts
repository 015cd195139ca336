/** @param time epoch milliseconds */
export const isoTime = (time: number): string => new Date(time).toISOString();

/** @param time epoch milliseconds */
export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

/** Returns the earliest of the times, ignoring nulls; null if there is none. */
export function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
