import { MissThrottle, throttleMilliseconds } from "../edge/routing/throttle.ts";
import { perIsolate } from "../lib/isolate-memory.ts";
import { retrySeconds } from "../lib/one-at-a-time.ts";
import type { Deps } from "./deps.ts";
import { rateLimited, ServiceError } from "./errors.ts";

/** Throttles networks that try unknown keys. */
const unknownKeyThrottle = perIsolate((deps: Deps) => new MissThrottle(deps, deps.unknownKeyLimit));

/**
 * Looks up an API credential. @returns null if it doesn't exist
 * @throws rate_limited for an unknown one from a throttled network; internal (503) for `busy`
 */
export async function lookUpCredential<T extends object | true>(
  deps: Deps,
  clientAddress: string,
  find: () => Promise<T | null>,
): Promise<T | null> {
  const found = await unknownKeyThrottle(deps).lookUp(clientAddress, find);
  switch (found) {
    case "unknown":
      return null;
    case "throttled":
      throw rateLimited(throttleMilliseconds / 1000);
    case "busy":
      throw new ServiceError(
        "internal",
        "Your network is trying too many credentials. Try again in a moment.",
        {
          status: 503,
          headers: { "retry-after": String(retrySeconds) },
        },
      );
    default:
      return found;
  }
}
