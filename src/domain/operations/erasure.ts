import { erasableRows, eraseRows } from "../../store/operations/erasure.ts";
import type { Deps } from "../deps.ts";
import { restorableAfter } from "../restorable.ts";

/** How many codes, pages, and rows of each other kind one sweep erases. */
export const erasuresPerSweep = 500;

/**
 * Erases what was deleted 30 days ago. The rows of codes and pages remain without values,
 * because a hash is never reused, and scans and submissions still belong to them. The edges dropped the values when they
 * were deleted.
 */
export async function eraseDeleted(deps: Deps): Promise<void> {
  const now = deps.now();
  const before = restorableAfter(now);
  for (const rows of erasableRows) await eraseRows(deps.db, rows, before, now, erasuresPerSweep);
}
