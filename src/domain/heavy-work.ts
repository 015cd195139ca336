import { limits } from "../contract/limits.ts";
import { describeError, log } from "../lib/log.ts";
import { workspaceMeterName } from "../protocol/key-meter.ts";
import type { Caller, Member, WorkspaceContext } from "./context/context.ts";
import type { Deps } from "./deps.ts";
import { rateLimited } from "./errors.ts";

/**
 * Counts heavy work against what a workspace may have done in a minute, whichever key or person asks for it, before it is
 * done. Work of no units isn't counted. If the workspace's meter is away, the work is done.
 * @throws rate_limited
 */
export async function takeHeavyWork(deps: Deps, workspaceId: string, units: number): Promise<void> {
  if (units === 0) return;
  const seconds = await deps
    .meter(workspaceMeterName(workspaceId))
    .takeWork(deps.now(), units, limits.heavyWork)
    .catch((error: unknown) => {
      log("warn", "heavy work not counted", { workspaceId, error: describeError(error) });
      return 0;
    });
  if (seconds > 0) throw rateLimited(seconds);
}

type Person = WorkspaceContext & Partial<Caller & Member>;

/**
 * Counts a measurement, or a new logo, which are limited separately.
 * @throws rate_limited if the person or key has had too many
 */
export async function requireMeasuringAllowed(
  deps: Deps,
  { userId, keyId, workspaceId }: Person,
  what: "measurement" | "logo",
): Promise<void> {
  const who = userId ?? keyId ?? workspaceId;
  const { success } = await deps.measurementLimit.limit({ key: what === "logo" ? `logo/${who}` : who });
  if (!success) throw rateLimited(60);
}
