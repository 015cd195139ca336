import { limits } from "../contract/limits.ts";
import { dayLength } from "../lib/time/calendar.ts";

/** How long a deleted thing can be restored. */
export const restorableMilliseconds = limits.deletedDays * dayLength;

/** Things deleted at this time or earlier can't be restored and are erased. Both are epoch milliseconds. */
export const restorableAfter = (now: number): number => now - restorableMilliseconds;

/** Returns whether a thing deleted at `deletedAt` can be restored. @param now epoch milliseconds, as the other */
export const isRestorable = (deletedAt: number, now: number): boolean => deletedAt > restorableAfter(now);

/** Returns until when a thing deleted at `deletedAt`, epoch milliseconds, can be restored, in ISO 8601. */
export const restorableUntil = (deletedAt: number): string =>
  new Date(deletedAt + restorableMilliseconds).toISOString();
