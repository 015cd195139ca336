import { findOldestWork, type Work } from "../../store/operations/due-work.ts";
import type { Deps } from "../deps.ts";

export type { Work };

/** Returns whether work may be due. @param after how long after its time it is, milliseconds */
export type IsDue = (work: Work, after?: number) => boolean;

/**
 * Finds out with one query which kinds of work may be due, so that a sweep without any costs little. The tasks
 * themselves decide exactly.
 */
export async function findDueWork(deps: Deps): Promise<IsDue> {
  const now = deps.now();
  const oldest = await findOldestWork(deps.db);
  return (work, after = 0) => {
    const at = oldest?.[work] ?? null;
    return at !== null && at + after <= now;
  };
}
