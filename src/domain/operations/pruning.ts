import { limits } from "../../contract/limits.ts";
import { dayLength } from "../../lib/time/calendar.ts";
import {
  pruneBulkJobs,
  pruneRecords,
  pruneBulkItems as storePruneBulkItems,
  pruneExpiredKeys as storePruneExpiredKeys,
  pruneRevokedKeys as storePruneRevokedKeys,
} from "../../store/operations/pruning.ts";
import { emptyProposals, pruneProposals as storePruneProposals } from "../../store/proposals.ts";
import { itemMilliseconds } from "../bulk/expiry.ts";
import type { Deps } from "../deps.ts";

/** Rows deleted per statement, and statements of each kind per sweep. */
export const pruning = { itemsPerStep: 1000, recordsPerStep: 1000, steps: 10, jobs: 1000 };

/** Repeats a step while there is more to delete. The next sweep continues with the rest. */
async function inSteps(limit: number, step: (limit: number) => Promise<number>): Promise<void> {
  for (let taken = 0; taken < pruning.steps; taken += 1) {
    if ((await step(limit)) < limit) return;
  }
}

/** Deletes idempotency records after 24 hours. */
export async function pruneIdempotencyRecords(deps: Deps): Promise<void> {
  const before = deps.now() - limits.idempotency.milliseconds;
  await inSteps(pruning.recordsPerStep, (limit) => pruneRecords(deps.db, before, limit));
}

/** Empties proposed changes that have expired, and deletes them a day later. */
export async function pruneProposals(deps: Deps): Promise<void> {
  const now = deps.now();
  const before = now - limits.proposals.days * dayLength;
  await inSteps(pruning.recordsPerStep, (limit) => emptyProposals(deps.db, now, limit));
  await inSteps(pruning.recordsPerStep, (limit) => storePruneProposals(deps.db, before, limit));
}

/** Deletes revoked keys after 90 days. Their meters keep refusing them, and unknown keys are refused as well. */
export async function pruneRevokedKeys(deps: Deps): Promise<void> {
  const before = deps.now() - limits.revokedKeyDays * dayLength;
  await inSteps(pruning.recordsPerStep, (limit) => storePruneRevokedKeys(deps.db, before, limit));
}

/** Deletes keys 30 days after they expired. They are refused in any case. */
export async function pruneExpiredKeys(deps: Deps): Promise<void> {
  const before = deps.now() - limits.expiredKeyDays * dayLength;
  await inSteps(pruning.recordsPerStep, (limit) => storePruneExpiredKeys(deps.db, before, limit));
}

/** Deletes bulk jobs' items 30 days after completion, and the jobs after a year. */
export async function pruneBulkItems(deps: Deps): Promise<void> {
  const now = deps.now();
  const before = now - itemMilliseconds;
  await inSteps(pruning.itemsPerStep, (limit) => storePruneBulkItems(deps.db, before, now, limit));
  await pruneBulkJobs(deps.db, now - limits.bulkJobDays * dayLength, pruning.jobs);
}
