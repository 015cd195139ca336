import type { Deps } from "../deps.ts";

/** The timing of work on a job. */
export const bulkTiming = {
  /** How long a worker holds a job; each slice extends it. After that, another worker takes over. */
  leaseSeconds: 20,
  /** A failed attempt is repeated after this long, */
  retrySeconds: 30,
  /** and a job whose slice failed this many times in succession ends as failed. */
  maxAttempts: 20,
  /** How often the sweep runs. */
  sweepSeconds: 60,
} as const;

/** Returns until when a worker holds a job that it takes or continues now, epoch milliseconds. */
export const leaseEnd = (deps: Deps): number => deps.now() + bulkTiming.leaseSeconds * 1000;

/** Lets the isolate serve other requests. A loop whose awaits resolve at once would block them until it ends. */
export const takeTurns = (deps: Deps): Promise<void> => deps.pause(0);
