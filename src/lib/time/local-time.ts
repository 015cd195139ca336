import type { Zone } from "./zone.ts";

const minute = 60_000;

/** Formats a time on the wall clock of a zone, as used in forms: `2026-12-24T18:00`. @param time epoch milliseconds */
export const toLocalTime = (time: number, zone: Zone): string => zone.format(time).slice(0, 16);

/**
 * Returns the instant of a time on a zone's wall clock, epoch milliseconds. For a time that the clock shows twice,
 * returns either; for one that it skips, an instant within an hour.
 * @returns null for text of another form
 */
export function fromLocalTime(text: string, zone: Zone): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return null;
  const wallClock = Date.parse(`${text}Z`);
  if (Number.isNaN(wallClock)) return null;
  const guess = wallClock - zone.offsetAt(wallClock) * minute;
  return wallClock - zone.offsetAt(guess) * minute;
}
