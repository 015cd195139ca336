import { deletableTables } from "../../store/deleted.ts";
import { eraseCodes, erasePages, eraseRows } from "../../store/operations/erasure.ts";
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
  await eraseCodes(deps.db, before, now, erasuresPerSweep);
  await erasePages(deps.db, before, now, erasuresPerSweep);
  for (const table of deletableTables) await eraseRows(deps.db, table, before, now, erasuresPerSweep);
}
