import type { JobKind } from "../jobs/run.ts";

/** Bulk jobs. Each slice renews a worker's lease. */
export const bulkJobs = {
  table: "bulk_jobs",
  leaseSeconds: 20,
  maxAttempts: 20,
  retryAfter: () => 30,
} as const satisfies JobKind;
