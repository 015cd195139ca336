import { limits } from "../contract/limits.ts";
import { describeError, log } from "../lib/log.ts";
import { workspaceMeterName } from "../protocol/key-meter.ts";
import type { Deps } from "./deps.ts";
import { rateLimited } from "./errors.ts";

/**
 * Counts heavy work against what a workspace may have done in a minute, whichever key or person asks for it. If the
 * workspace's meter is away, the work is done.
 * @throws rate_limited
 */
export async function takeHeavyWork(deps: Deps, workspaceId: string, units: number): Promise<void> {
  const seconds = await deps
    .meter(workspaceMeterName(workspaceId))
    .takeWork(deps.now(), units, limits.heavyWork)
    .catch((error: unknown) => {
      log("warn", "heavy work not counted", { workspaceId, error: describeError(error) });
      return 0;
    });
  if (seconds > 0) throw rateLimited(seconds);
}
