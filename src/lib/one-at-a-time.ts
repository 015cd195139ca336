/** The clock and the pauses, of the service's dependencies. */
interface Clock {
  now(): number;
  pause(milliseconds: number): Promise<void>;
}

const pollMilliseconds = 25;
/** After this long the next one begins, since a cancelled request never reports its end. */
const leaseMilliseconds = 1000;
/** Longer than a lease, so that a cancelled request delays others but turns none away. */
const maxWaitMilliseconds = 2000;
/** How many requests may wait at once. Each polls, which takes CPU. */
const maxWaiting = 32;

/** Seconds after which rejected work may be retried. */
export const retrySeconds = 2;

/**
 * Runs the work of several requests one at a time. In Workers, a request can't await another request's promise, so they
 * share plain data, which each polls with its own timer.
 */
export class OneAtATime {
  /** The lease of the work in progress, which ends at this time, epoch milliseconds. */
  #lease: { readonly until: number } | undefined;
  /** When each waiting request gives up. A cancelled request can't remove itself. */
  readonly #waiting = new Set<{ readonly until: number }>();

  /** Returns the result of the work; `busy` if its turn did not come in time, or too many are already waiting. */
  async run<T>(deps: Clock, work: () => Promise<T>): Promise<T | "busy"> {
    const lease = await this.#enter(deps);
    if (lease === undefined) return "busy";
    try {
      return await work();
    } finally {
      if (this.#lease === lease) this.#lease = undefined;
    }
  }

  async #enter(deps: Clock) {
    const began = deps.now();
    for (const place of this.#waiting) if (place.until <= began) this.#waiting.delete(place);
    if (this.#waiting.size === 0) {
      const lease = this.#take(began);
      if (lease !== undefined) return lease;
    }
    if (this.#waiting.size >= maxWaiting) return undefined;
    const place = { until: began + maxWaitMilliseconds };
    this.#waiting.add(place);
    try {
      for (let now = began; now < place.until; now = deps.now()) {
        const lease = this.#take(now);
        if (lease !== undefined) return lease;
        await deps.pause(pollMilliseconds);
      }
      return undefined;
    } finally {
      this.#waiting.delete(place);
    }
  }

  /** Starts a lease, unless there is one. */
  #take(now: number) {
    if (this.#lease !== undefined && now < this.#lease.until) return undefined;
    this.#lease = { until: now + leaseMilliseconds };
    return this.#lease;
  }
}
