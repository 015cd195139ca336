import { deleteLogoFiles } from "../../store/logos/files.ts";
import { markUnusedLogos, takeInterruptedRemovals } from "../../store/logos/removal.ts";
import { deleteRemovedRows } from "../../store/removed-rows.ts";
import type { Deps } from "../deps.ts";

export const logoRemoval = {
  /** How many logos one sweep checks. */
  perSweep: 100,
  /**
   * How often each logo is checked, and how long it must be unused before it is removed. Creations and bulk jobs in
   * progress may still use a logo whose template is gone.
   */
  graceMilliseconds: 24 * 60 * 60 * 1000,
  /** A removal that takes longer than this was interrupted, because no sweep runs that long. */
  interruptedMilliseconds: 60 * 60 * 1000,
};

/**
 * Removes logos that no code or template uses. The file is deleted before the row, so that no file is left without a
 * row.
 */
export async function removeUnusedLogos(deps: Deps): Promise<void> {
  const { perSweep, graceMilliseconds, interruptedMilliseconds } = logoRemoval;
  const now = deps.now();
  const logos = [
    ...(await takeInterruptedRemovals(deps.db, now - interruptedMilliseconds, now, perSweep)),
    ...(await markUnusedLogos(deps.db, now - graceMilliseconds, now, perSweep)),
  ];
  if (logos.length === 0) return;
  await deleteLogoFiles(deps, logos);
  await deleteRemovedRows(deps.db, "logos", logos);
}
