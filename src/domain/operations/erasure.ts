import { eraseCodes, erasePages, eraseRows } from "../../store/operations/erasure.ts";
import { restorableAfter } from "../restorable.ts";
import type { Deps } from "../deps.ts";

/** How many codes, pages, folders and templates each one sweep erases. */
export const erasuresPerSweep = 500;

/**
 * Erases the codes, pages, folders and templates deleted 30 days ago. The rows of codes and pages remain without values,
 * because a hash is never reused, and scans and submissions still belong to them. The edges dropped the values when they
 * were deleted.
 */
export async function eraseDeleted(deps: Deps): Promise<void> {
  const now = deps.now();
  const before = restorableAfter(now);
  await eraseCodes(deps.db, before, now, erasuresPerSweep);
  await erasePages(deps.db, before, now, erasuresPerSweep);
  await eraseRows(deps.db, "folders", before, now, erasuresPerSweep);
  await eraseRows(deps.db, "templates", before, now, erasuresPerSweep);
}
