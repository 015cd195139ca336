import { noteRun } from "../../store/operations/readiness.ts";
import type { Deps } from "../deps.ts";

export const sweepRuns = {
  /** Runs are recorded at most this often, because each record costs a written row. */
  recordMilliseconds: 5 * 60_000,
  /** How long ago the last run may be recorded. */
  lateMilliseconds: 15 * 60_000,
};

/** Records that the sweep has run, and whether one of its tasks failed. */
export async function noteSweep({ db, now }: Deps, hasFailed: boolean): Promise<void> {
  const at = now();
  const before = at - sweepRuns.recordMilliseconds;
  await noteRun(db, "sweep", at, before);
  if (hasFailed) await noteRun(db, "failed sweep", at, before);
}
