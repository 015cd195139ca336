import type { JobKind } from "../jobs/run.ts";

/** Seconds until a failed attempt is repeated, doubled with each consecutive failure, but at most so many. */
const retrySeconds = { first: 15, longest: 300 } as const;

/**
 * Print jobs. One that always fails ends after some 20 minutes. A worker renews its lease before each drawing, the longest
 * of which takes 20 seconds; if it dies, the sweep finds the job free within a minute and a half.
 */
export const printJobs = {
  table: "print_jobs",
  leaseSeconds: 30,
  maxAttempts: 8,
  retryAfter: (attempts: number) => Math.min(retrySeconds.longest, retrySeconds.first * 2 ** (attempts - 1)),
} as const satisfies JobKind;
