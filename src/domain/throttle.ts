import { BoundedMap } from "../lib/bounded-map.ts";
import { networkOf } from "../lib/web/network.ts";

const minute = 60_000;

/**
 * Counts an address's misses (unknown keys, hashes and pages) and bars it for a minute when they are too many.
 * Only misses are counted, and what is barred is only the next look-up: whoever is known gets through.
 */
export class MissThrottle {
  readonly #limit: RateLimit;
  /** Until when, epoch milliseconds. An isolate's own: asking the shared counter would itself count. */
  readonly #barredUntil = new BoundedMap<string, number>(10_000);

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** Seconds this address has to wait; 0 when it is not barred. */
  wait(address: string, now: number): number {
    return Math.max(0, Math.ceil(((this.#barredUntil.get(networkOf(address)) ?? 0) - now) / 1000));
  }

  /** Counts a miss. */
  async miss(address: string, now: number): Promise<void> {
    const key = networkOf(address);
    const { success } = await this.#limit.limit({ key });
    if (!success) this.#barredUntil.set(key, now + minute);
  }
}
