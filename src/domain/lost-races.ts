import { limits } from "../contract/limits.ts";
import type { Deps } from "./deps.ts";
import { ServiceError, unavailableSeconds } from "./errors.ts";

/**
 * Makes a change again while other requests overtake it, after pauses that are random and grow.
 * @param resource what is changed, as a noun
 * @param attempt stores nothing if it is `lost`
 * @param patience milliseconds of pauses after which the change is given up; by default it is given up after some attempts
 * @throws internal (503) for a change that is given up
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
