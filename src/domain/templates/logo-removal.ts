import { deleteLogoFiles } from "../../store/templates/logo-files.ts";
import {
  deleteLogoRows,
  markUnusedLogos,
  takeInterruptedRemovals,
} from "../../store/templates/logo-removal.ts";
import type { Deps } from "../deps.ts";

export const logoRemoval = {
  /** Logos that one sweep checks at most. */
  perSweep: 100,
  /**
   * How often each logo is checked, and how long one must be unused to be removed. Creations and bulk jobs in progress may
   * still use a logo whose template has gone.
   */
  graceMilliseconds: 24 * 60 * 60 * 1000,
  /** A removal that takes longer was interrupted: longer than a sweep can run. */
  interruptedMilliseconds: 60 * 60 * 1000,
};

/** Removes logos that no code and no template uses. The file goes before the row, so that none is left without a row. */
export async function removeUnusedLogos(deps: Deps): Promise<void> {
  const { perSweep, graceMilliseconds, interruptedMilliseconds } = logoRemoval;
  const now = deps.now();
  const logos = [
    ...(await takeInterruptedRemovals(deps.db, now - interruptedMilliseconds, now, perSweep)),
    ...(await markUnusedLogos(deps.db, now - graceMilliseconds, now, perSweep)),
  ];
  if (logos.length === 0) return;
  await deleteLogoFiles(deps.files, logos);
  await deleteLogoRows(deps.db, logos);
}
