import { eraseCodes, erasePages } from "../../store/operations/erasure.ts";
import { restorableAfter } from "../codes/restoration.ts";
import type { Deps } from "../deps.ts";

/** How many codes, and how many pages, one sweep erases. */
export const erasuresPerSweep = 500;

/**
 * Erases the values of codes and pages deleted 30 days ago. Their rows remain, because a hash is never reused, and
 * scans and submissions still belong to them. The edges dropped the values when they were deleted.
 */
export async function eraseDeleted(deps: Deps): Promise<void> {
  const now = deps.now();
  await eraseCodes(deps.db, restorableAfter(now), now, erasuresPerSweep);
  await erasePages(deps.db, restorableAfter(now), now, erasuresPerSweep);
}
