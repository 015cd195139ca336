import { DurableObject } from "cloudflare:workers";
import type { Allowance } from "../contract/plans.ts";

const minute = 60_000;

interface Window {
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly count: number;
}

export interface Reading {
  readonly outcome: "allowed" | "over" | "revoked";
  /** Requests left in this minute. */
  readonly remaining: number;
  /** Seconds until the next minute begins, 1 to 60. */
  readonly resetSeconds: number;
  /** What the request is under. */
  readonly allowance: Allowance;
}

/**
 * Counts one key's (or person's) requests in fixed windows, aligned to the clock's minute. One object for each, so
 * the count is exact however many edges ask at once.
 */
export class KeyMeter extends DurableObject<Env> {
  #window: Window;
  #revoked: boolean;
  #newest: Allowance | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#window = ctx.storage.kv.get<Window>("window") ?? { minute: 0, count: 0 };
    this.#revoked = ctx.storage.kv.get<boolean>("revoked") ?? false;
    this.#newest = ctx.storage.kv.get<Allowance>("allowance");
  }

  /**
   * Counts a request, if there is room.
   * @param now the asking edge's clock, epoch milliseconds; an edge whose clock lags counts in the window
   *   that has begun already
   * @param known the allowance as the asking edge remembers it; a newer one that is known here holds instead
   */
  hit(now: number, known: Allowance): Reading {
    const allowance = this.#newestOf(known);
    const cap = allowance.requestsPerMinute;
    const current = Math.max(Math.floor(now / minute), this.#window.minute);
    const used = current === this.#window.minute ? this.#window.count : 0;
    const resetSeconds = Math.min(60, Math.max(1, Math.ceil(((current + 1) * minute - now) / 1000)));
    if (this.#revoked) return { outcome: "revoked", remaining: 0, resetSeconds, allowance };
    if (used >= cap) return { outcome: "over", remaining: 0, resetSeconds, allowance };

    this.#window = { minute: current, count: used + 1 };
    // Written, so that the count outlives this object; not waited for, so that it costs the caller nothing.
    void this.ctx.storage.put("window", this.#window, { allowUnconfirmed: true });
    return { outcome: "allowed", remaining: cap - used - 1, resetSeconds, allowance };
  }

  /** Requests counted in the clock's minute. @param now epoch milliseconds */
  used(now: number): number {
    return Math.floor(now / minute) > this.#window.minute ? 0 : this.#window.count;
  }

  /** From now on every request is under this allowance, or a newer one, whatever an edge still remembers. */
  adopt(allowance: Allowance): void {
    this.#newest = this.#newestOf(allowance);
    this.ctx.storage.kv.put("allowance", this.#newest);
  }

  #newestOf(allowance: Allowance): Allowance {
    return this.#newest !== undefined && this.#newest.version > allowance.version ? this.#newest : allowance;
  }

  /** From now on every request with this key is refused, whatever an edge still remembers of it. */
  revoke(): void {
    this.#revoked = true;
    this.ctx.storage.kv.put("revoked", true);
  }
}
