import type { Deps } from "./deps.ts";

const pollMilliseconds = 25;
/** After this long the next one begins, since a request that was cancelled never reports its end. */
const leaseMilliseconds = 1000;
/** Longer than a lease, so that a cancelled request delays others and turns none away. */
const maxWaitMilliseconds = 2000;
/** Requests that wait at once: each polls, which takes CPU. */
const maxWaiting = 32;

/** Seconds after which work that was turned away may be tried again. */
export const retrySeconds = 2;

/**
 * Runs work of several requests one at a time. A request can't await another's promise in Workers, so the requests share
 * plain data, and each polls it with a timer of its own.
 */
export class OneAtATime {
  /** The lease of the work in progress, which ends at this time, epoch milliseconds. */
  #lease: { readonly until: number } | undefined;
  /** When each waiting request gives up, which a cancelled one can't report. */
  readonly #waiting = new Set<{ readonly until: number }>();

  /** The result of the work; `busy` when its turn did not come in time, or when too many wait already. */
  async run<T>(deps: Deps, work: () => Promise<T>): Promise<T | "busy"> {
    const lease = await this.#enter(deps);
    if (lease === undefined) return "busy";
    try {
      return await work();
    } finally {
      if (this.#lease === lease) this.#lease = undefined;
    }
  }

  async #enter(deps: Deps) {
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

  /** Begins a lease, unless there is one. */
  #take(now: number) {
    if (this.#lease !== undefined && now < this.#lease.until) return undefined;
    this.#lease = { until: now + leaseMilliseconds };
    return this.#lease;
  }
}
