import type { Deps } from "../deps.ts";

/** How a job is worked on. */
export const bulkTiming = {
  /** A worker holds a job for this long, and longer with every slice. A job whose worker died is taken after it. */
  leaseSeconds: 20,
  /** A failed attempt is repeated after this long, */
  retrySeconds: 30,
  /** and a job whose slice failed this often in a row ends as failed. */
  maxAttempts: 20,
  /** The sweep runs this often. */
  sweepSeconds: 60,
} as const;

/** Until when a worker that takes a job, or has processed a slice, holds it, in epoch milliseconds. */
export const leaseEnd = (deps: Deps): number => deps.now() + bulkTiming.leaseSeconds * 1000;

/** Lets the isolate serve its other requests. A loop whose awaits never wait would hold them up until it ends. */
export const takeTurns = (deps: Deps): Promise<void> => deps.pause(0);
