import { limits } from "../../contract/limits.ts";
import type { BulkJob } from "../../contract/resources/codes/bulk.ts";

/** How long a completed job's items are kept. */
export const itemMilliseconds = limits.bulkItemDays * 24 * 60 * 60 * 1000;

/** Returns when a job's items are deleted, ISO 8601; null until the job is completed. */
export const itemsExpireAt = ({ completedAt }: BulkJob): string | null =>
  completedAt === null ? null : new Date(Date.parse(completedAt) + itemMilliseconds).toISOString();

/** Returns whether the items are deleted, or will be by the next sweep. @param now epoch milliseconds */
export function areItemsExpired(job: BulkJob, now: number): boolean {
  const expiry = itemsExpireAt(job);
  return expiry !== null && Date.parse(expiry) <= now;
}
