import { log } from "../../lib/log.ts";
import { deleteExpired, expiring } from "../../store/operations/expiring.ts";
import { pruneBulkItems as storePruneBulkItems } from "../../store/operations/pruning.ts";
import { emptyProposals as storeEmptyProposals } from "../../store/proposals.ts";
import { itemMilliseconds } from "../bulk/expiry.ts";
import type { Deps } from "../deps.ts";

/** Rows deleted per statement, and statements of each frequent kind per sweep. */
export const pruning = { rowsPerStep: 1000, steps: 10 };

/**
 * Repeats a step while there is more to delete. The next sweep continues with the rest.
 * @returns how many rows were deleted
 */
async function inSteps(step: (limit: number) => Promise<number>, steps = pruning.steps): Promise<number> {
  let deleted = 0;
  for (let taken = 0; taken < steps; taken += 1) {
    const rows = await step(pruning.rowsPerStep);
    deleted += rows;
    if (rows < pruning.rowsPerStep) break;
  }
  return deleted;
}

/** The tasks that delete expired rows, with the kind of each. */
export const pruningTasks = expiring.map((rows) => ({
  kind: rows.kind,
  async run({ db, now }: Deps): Promise<void> {
    const at = now();
    const steps = "isFrequent" in rows ? pruning.steps : 1;
    const count = await inSteps((limit) => deleteExpired(db, rows, at, limit), steps);
    if (count > 0 && "warning" in rows) log("warn", rows.warning, { count });
  },
}));

/** Empties proposed changes that have expired. */
export async function emptyProposals({ db, now }: Deps): Promise<void> {
  const at = now();
  await inSteps((limit) => storeEmptyProposals(db, at, limit));
}

/** Deletes bulk jobs' items 30 days after completion. */
export async function pruneBulkItems({ db, now }: Deps): Promise<void> {
  const at = now();
  await inSteps((limit) => storePruneBulkItems(db, at - itemMilliseconds, at, limit));
}
