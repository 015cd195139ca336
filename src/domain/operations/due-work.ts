import { limits } from "../../contract/limits.ts";
import { routing } from "../../edge/routing/timing.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import { bounds } from "../../protocol/bounds.ts";
import { findOldestWork, type Work } from "../../store/operations/due-work.ts";
import { openReportMilliseconds, reportRetentionMilliseconds } from "../abuse-reports/review.ts";
import { itemMilliseconds } from "../bulk/expiry.ts";
import type { Deps } from "../deps.ts";
import { logoRemoval } from "../logos/removal.ts";
import { pageImageRemoval } from "../pages/image-removal.ts";
import { restorableAfter } from "../restorable.ts";

export type { Work };

/** How long after its time work is due, in milliseconds. Other work is due at its time. */
const delays = (now: number): Partial<Record<Work, number>> => ({
  idempotencyRecords: limits.idempotency.milliseconds,
  bulkItems: itemMilliseconds,
  bulkJobs: limits.bulkJobDays * dayLength,
  revokedKeys: limits.revokedKeyDays * dayLength,
  expiredKeys: limits.expiredKeyDays * dayLength,
  deletedCodes: now - restorableAfter(now),
  deletedPages: now - restorableAfter(now),
  deletedRows: now - restorableAfter(now),
  logos: logoRemoval.graceMilliseconds,
  pageImages: pageImageRemoval.graceMilliseconds,
  abuseReports: reportRetentionMilliseconds,
  openReports: openReportMilliseconds,
  figures: bounds.figures.retention,
  publications: routing.stalePublicationMilliseconds,
  removedPrints: limits.printJob.days * dayLength,
});

/**
 * Finds out with one query which kinds of work may be due, so that a sweep without any costs little. The tasks
 * themselves decide exactly.
 */
export async function findDueWork(deps: Deps): Promise<(work: Work) => boolean> {
  const now = deps.now();
  const after = delays(now);
  const oldest = await findOldestWork(deps.db);
  return (work) => {
    const at = oldest?.[work] ?? null;
    return at !== null && at + (after[work] ?? 0) <= now;
  };
}
