import { BoundedMap } from "../../lib/bounded-map.ts";
import { perIsolate } from "../../lib/isolate-memory.ts";
import { OneAtATime } from "../../lib/one-at-a-time.ts";
import { networksOf } from "../../lib/web/network.ts";
import { findExceeded } from "../../lib/web/network-limit.ts";
import type { EdgeDeps } from "../deps.ts";

export const throttleMilliseconds = 60_000;

/** A network with too many misses. */
interface ThrottledNetwork {
  /** Epoch milliseconds. */
  readonly until: number;
  readonly lookUps: OneAtATime;
}

/**
 * The result of a look-up that found nothing: it doesn't exist; it doesn't exist, and the network is throttled; or
 * there was no look-up, because too many of the throttled network's are in progress.
 */
export type Miss = "unknown" | "throttled" | "busy";

/**
 * Counts a network's misses (unknown keys, hashes and pages). After too many, it throttles the network for a minute:
 * its look-ups then run one at a time per isolate. They still find what exists.
 */
export class MissThrottle {
  readonly #deps: EdgeDeps;
  readonly #limit: RateLimit;
  /** Kept per isolate, because querying the shared counter would count as a miss. */
  readonly #throttled = new BoundedMap<string, ThrottledNetwork>(10_000);

  constructor(deps: EdgeDeps, limit: RateLimit) {
    this.#deps = deps;
    this.#limit = limit;
  }

  /** Looks something up for a client. @param find returns null if it doesn't exist */
  async lookUp<T extends object | true>(
    clientAddress: string,
    find: () => Promise<T | null>,
  ): Promise<T | Miss> {
    const began = this.#deps.now();
    const throttled = this.#throttledNow(clientAddress);
    if (throttled !== undefined) return (await throttled.lookUps.run(this.#deps, find)) ?? "throttled";
    const found = await find();
    if (found !== null) return found;
    const exceeded = await findExceeded(this.#limit, clientAddress);
    if (exceeded !== undefined) {
      const { lookUps } = this.#throttled.get(exceeded) ?? { lookUps: new OneAtATime() };
      this.#throttled.set(exceeded, { until: began + throttleMilliseconds, lookUps });
    }
    return "unknown";
  }

  /** Looks up an alternative after `lookUp` found nothing. The miss is not counted again. */
  async lookUpAgain<T extends object>(
    clientAddress: string,
    find: () => Promise<T | null>,
  ): Promise<T | null | "busy"> {
    const throttled = this.#throttledNow(clientAddress);
    return throttled === undefined ? find() : throttled.lookUps.run(this.#deps, find);
  }

  #throttledNow(clientAddress: string): ThrottledNetwork | undefined {
    const now = this.#deps.now();
    return networksOf(clientAddress)
      .map(({ network }) => this.#throttled.get(network))
      .find((throttled) => throttled !== undefined && now < throttled.until);
  }
}

/** Throttles networks that look up unknown hashes and pages. */
export const unknownHashThrottle = perIsolate(
  (deps: EdgeDeps) => new MissThrottle(deps, deps.unknownHashLimit),
);
