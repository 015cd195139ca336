import { eraseCodes, erasePages } from "../../store/operations/erasure.ts";
import { restorableAfter } from "../codes/restoration.ts";
import type { Deps } from "../deps.ts";

/** Codes, and pages, that one sweep erases at most. */
export const erasuresPerSweep = 500;

/**
 * Erases the values of codes and pages that were deleted 30 days ago. Their rows stay: a hash is never used again, and
 * scans and submissions still belong to them. The edges have held no values since the deletion.
 */
export async function eraseDeleted(deps: Deps): Promise<void> {
  const now = deps.now();
  await eraseCodes(deps.db, restorableAfter(now), now, erasuresPerSweep);
  await erasePages(deps.db, restorableAfter(now), now, erasuresPerSweep);
}
