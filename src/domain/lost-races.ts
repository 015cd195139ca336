import { limits } from "../contract/limits.ts";
import type { Deps } from "./deps.ts";
import { ServiceError, unavailableSeconds } from "./errors.ts";

/**
 * Repeats a change for as long as other requests get ahead of it, after random, growing pauses.
 * @param resource the noun for the changed resource
 * @param attempt must store nothing if it returns `lost`
 * @param patience gives up after this many milliseconds of pauses; by default after some attempts
 * @throws internal (503) when it gives up
 */
export async function untilStored<T>(
  deps: Deps,
  resource: string,
  attempt: () => Promise<T | "lost">,
  patience?: number,
): Promise<T> {
  let paused = 0;
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await attempt();
    if (outcome !== "lost") return outcome;
    if (patience === undefined ? attempts === limits.changeAttempts.count : paused > patience) break;
    const milliseconds = Math.ceil(Math.random() * Math.min(1000, 10 * 2 ** attempts));
    await deps.pause(milliseconds);
    paused += milliseconds;
  }
  throw new ServiceError("internal", `Other requests are changing the ${resource}. Try again.`, {
    status: 503,
    headers: { "retry-after": String(unavailableSeconds) },
  });
}
