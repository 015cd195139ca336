import { describeError, log } from "../../lib/log.ts";
import { findUnmeasured, storeJudgement, type UnmeasuredCode } from "../../store/codes/unmeasured.ts";
import { serviceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { ServiceError } from "../errors.ts";
import { isUnavailable, judgeStored } from "./judging.ts";

/** How the sweep measures designs that were saved without it. */
export const laterMeasuring = {
  /** Designs of one sweep, and how many workspaces take turns at them. */
  designs: 24,
  workspaces: 8,
  /** After this time a sweep begins no further one. */
  milliseconds: 20_000,
  /** How long a design waits if its workspace has measured too many, and if measuring fails. */
  pauseMilliseconds: 60_000,
  retryMilliseconds: 60 * 60_000,
};

/**
 * Measures designs that were stored without a measurement: by earlier releases, by bulk jobs, or because measuring
 * failed or took too long on saving. Every workspace has its own rate limit.
 */
export async function measureStoredDesigns(deps: Deps): Promise<void> {
  const { designs, workspaces, milliseconds } = laterMeasuring;
  const end = deps.now() + milliseconds;
  let left = designs;
  for (;;) {
    const codes = await findUnmeasured(deps.db, deps.now(), Math.min(workspaces, left));
    if (codes.length === 0) return;
    for (const code of codes) {
      if (deps.now() >= end) return;
      left -= 1;
      if (!(await judgeAndStore(deps, code)) || left === 0) return;
    }
  }
}

/** @returns whether further designs can be measured */
async function judgeAndStore(deps: Deps, { row, plan }: UnmeasuredCode): Promise<boolean> {
  const { workspaceId } = row;
  try {
    const readable = await judgeStored(deps, serviceContext(workspaceId, plan), row);
    await storeJudgement(deps.db, row, { readable, measureAt: null });
    return true;
  } catch (error) {
    const isLimited = error instanceof ServiceError && error.code === "rate_limited";
    const { pauseMilliseconds, retryMilliseconds } = laterMeasuring;
    const wait = isLimited ? pauseMilliseconds : retryMilliseconds;
    await storeJudgement(deps.db, row, { readable: null, measureAt: deps.now() + wait });
    if (isLimited) return true;
    if (!isUnavailable(error)) throw error;
    // Rules judge some designs where there is no images Worker.
    if (deps.images === undefined) return true;
    log("warn", "design not measured", { workspaceId, qrId: row.id, error: describeError(error) });
    return false;
  }
}
