import { BoundedMap } from "../lib/bounded-map.ts";
import { networkOf } from "../lib/web/network.ts";
import { perIsolate } from "./isolate-memory.ts";

const throttleMilliseconds = 60_000;

/**
 * Counts a network's misses (unknown keys, hashes and pages) and throttles the network for a minute when there are too
 * many. Only misses count, and only lookups are throttled: a record the isolate remembers is still served.
 */
class MissThrottle {
  readonly #limit: RateLimit;
  /** By network, epoch milliseconds. Kept per isolate, because querying the shared counter would count as a miss. */
  readonly #throttledUntil = new BoundedMap<string, number>(10_000);

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Seconds until the client may try again; 0 when its network is not throttled. */
  retryAfter(clientAddress: string, now: number): number {
    const until = this.#throttledUntil.get(networkOf(clientAddress)) ?? 0;
    return Math.max(0, Math.ceil((until - now) / 1000));
  }

  /** Counts a miss, and throttles the client's network if it has too many. */
  async countMiss(clientAddress: string, now: number): Promise<void> {
    const network = networkOf(clientAddress);
    const { success } = await this.#limit.limit({ key: network });
    if (!success) this.#throttledUntil.set(network, now + throttleMilliseconds);
  }
}

/** Throttles networks that try unknown keys. */
export const unknownKeyThrottle = perIsolate((deps) => new MissThrottle(deps.unknownKeyLimit));

/** Throttles networks that look up unknown hashes and pages. */
export const unknownHashThrottle = perIsolate((deps) => new MissThrottle(deps.unknownHashLimit));
