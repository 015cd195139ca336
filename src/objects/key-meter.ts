import { DurableObject } from "cloudflare:workers";
import type { Allowance } from "../protocol/key-meter.ts";
import type { KeyMeterMethods, MeterReading } from "../protocol/key-meter.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

interface Window {
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly count: number;
}

interface Creations {
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly count: number;
}

/**
 * Counts the requests of one API key or signed-in user in fixed windows aligned to the clock's minute, and a
 * publishable key's code creations per day. Each key and user has its own object, so the counts are exact across all
 * edges.
 */
export class KeyMeter extends DurableObject<Env> implements KeyMeterMethods {
  #window: Window;
  #creations: Creations;
  #revoked: boolean;
  #newest: Allowance | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#window = ctx.storage.kv.get<Window>("window") ?? { minute: 0, count: 0 };
    this.#creations = ctx.storage.kv.get<Creations>("creations") ?? { day: 0, count: 0 };
    this.#revoked = ctx.storage.kv.get<boolean>("revoked") ?? false;
    this.#newest = ctx.storage.kv.get<Allowance>("allowance");
  }

  /**
   * Counts a request if the allowance permits it.
   * @param now the edge's clock, epoch milliseconds. A request from a lagging clock counts in the window already begun.
   * @param known the allowance that the edge has cached; the meter's own takes precedence if newer
   * @param least requests per minute that are permitted even if the allowance has fewer
   */
  hit(now: number, known: Allowance, least = 0): MeterReading {
    const allowance = this.#newestOf(known);
    const cap = Math.max(allowance.requestsPerMinute, least);
    const current = Math.max(Math.floor(now / minute), this.#window.minute);
    const used = current === this.#window.minute ? this.#window.count : 0;
    const resetSeconds = Math.min(60, Math.max(1, Math.ceil(((current + 1) * minute - now) / 1000)));
    if (this.#revoked || allowance.closed === true)
      return { outcome: "revoked", remaining: 0, resetSeconds, allowance };
    if (used >= cap) return { outcome: "over", remaining: 0, resetSeconds, allowance };

    this.#window = { minute: current, count: used + 1 };
    // Stored so that the count outlives this object's memory. Not awaited, to add no latency.
    // If it is refused, as with a used-up quota, requests are still counted in memory.
    this.ctx.storage.put("window", this.#window, { allowUnconfirmed: true }).catch(() => {});
    return { outcome: "allowed", remaining: cap - used - 1, resetSeconds, allowance };
  }

  /** Returns the requests counted in the current minute. @param now epoch milliseconds */
  used(now: number): number {
    return Math.floor(now / minute) > this.#window.minute ? 0 : this.#window.count;
  }

  /**
   * Counts a code's creation.
   * @param now the edge's clock, epoch milliseconds. A creation from a lagging clock counts in the day already begun.
   * @param cap creations allowed per day, UTC
   * @returns the day's count including this one; null at the cap
   */
  takeCreation(now: number, cap: number): number | null {
    const today = Math.max(Math.floor(now / day), this.#creations.day);
    const count = this.creations(now);
    if (count >= cap) return null;
    this.#setCreations({ day: today, count: count + 1 });
    return count + 1;
  }

  /** Takes back the count of a creation that was refused. Does nothing once the day of `now` is over. */
  returnCreation(now: number): void {
    const { day: today, count } = this.#creations;
    if (Math.floor(now / day) === today && count > 0) this.#setCreations({ day: today, count: count - 1 });
  }

  /** Returns the creations counted in the current day. @param now epoch milliseconds */
  creations(now: number): number {
    return Math.floor(now / day) > this.#creations.day ? 0 : this.#creations.count;
  }

  #setCreations(creations: Creations): void {
    this.#creations = creations;
    this.ctx.storage.kv.put("creations", creations);
  }

  /** Sets the allowance, unless the meter has a newer one. It overrides older ones in the edges' caches. */
  adopt(allowance: Allowance): void {
    this.#newest = this.#newestOf(allowance);
    this.ctx.storage.kv.put("allowance", this.#newest);
  }

  #newestOf(allowance: Allowance): Allowance {
    return this.#newest !== undefined && this.#newest.version > allowance.version ? this.#newest : allowance;
  }

  /** Makes the meter refuse all later requests with this key, whatever edges have cached. */
  revoke(): void {
    this.#revoked = true;
    this.ctx.storage.kv.put("revoked", true);
  }
}
