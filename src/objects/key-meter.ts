import { DurableObject } from "cloudflare:workers";
import {
  type Allowance,
  type KeyMeterMethods,
  type MeterReading,
  type Share,
  type ShareRequest,
  type Unasked,
  workspaceMeterName,
} from "../protocol/key-meter.ts";
import { MeterShare } from "./meter-share.ts";
import { WorkspaceShare } from "./workspace-share.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

interface Window {
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly count: number;
  /** API requests among these that the workspace's meter doesn't know of. */
  readonly unasked?: number;
}

interface Creations {
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly count: number;
}

/**
 * Counts the requests of one API key or signed-in user in fixed windows aligned to the clock's minute, and a
 * publishable key's code creations per day. Each key and user has its own object, so the counts are exact across all
 * edges. The object of a workspace counts those of all its keys and people, and its heavy work.
 */
export class KeyMeter extends DurableObject<Env> implements KeyMeterMethods {
  #window: Window;
  #creations: Creations;
  #revoked: boolean;
  #newest: Allowance | undefined;
  readonly #ofMeter: MeterShare;
  readonly #ofWorkspace: WorkspaceShare;
  #work: Window;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#window = ctx.storage.kv.get<Window>("window") ?? { minute: 0, count: 0 };
    this.#creations = ctx.storage.kv.get<Creations>("creations") ?? { day: 0, count: 0 };
    this.#revoked = ctx.storage.kv.get<boolean>("revoked") ?? false;
    this.#newest = ctx.storage.kv.get<Allowance>("allowance");
    this.#work = ctx.storage.kv.get<Window>("work") ?? { minute: 0, count: 0 };
    const unaskedIn = (of: number) => (of === this.#window.minute ? (this.#window.unasked ?? 0) : 0);
    this.#ofMeter = new MeterShare(ctx.storage, unaskedIn, (of, count) => {
      if (of === this.#window.minute) this.#store({ ...this.#window, unasked: unaskedIn(of) - count });
    });
    this.#ofWorkspace = new WorkspaceShare(ctx.storage, (meter, slot) =>
      this.env.METERS.get(this.env.METERS.idFromString(meter)).takeBackSlot(slot),
    );
  }

  /**
   * Counts a request if the allowance permits it, and the workspace's limit.
   * @param now the edge's clock, epoch milliseconds. A request from a lagging clock counts in the window already begun.
   * @param known the allowance that the edge has cached; the meter's own takes precedence if newer
   * @param least requests per minute that are permitted even if the allowance has fewer
   * @param workspaceId the workspace whose limit the request counts against as well; undefined for none
   */
  async hit(now: number, known: Allowance, least = 0, workspaceId?: string): Promise<MeterReading> {
    const allowance = this.#newestOf(known);
    const { requestsPerMinute } = allowance;
    const cap = Math.max(requestsPerMinute, least);
    const current = Math.max(Math.floor(now / minute), this.#window.minute);
    const isNew = current !== this.#window.minute;
    const used = isNew ? 0 : this.#window.count;
    const unasked = isNew ? 0 : (this.#window.unasked ?? 0);
    const resetSeconds = Math.min(60, Math.max(1, Math.ceil(((current + 1) * minute - now) / 1000)));
    if (this.#revoked || allowance.closed === true)
      return { outcome: "revoked", remaining: 0, resetSeconds, allowance };
    const over: MeterReading = { outcome: "over", remaining: 0, resetSeconds, allowance };
    if (used >= cap) return over;

    const remaining = cap - used - 1;
    const allowed: MeterReading = { outcome: "allowed", remaining, resetSeconds, allowance };
    const isFree = workspaceId === undefined || this.#ofMeter.isFree(now);
    const counted = workspaceId !== undefined && isFree ? 1 : 0;
    this.#store({ minute: current, count: used + 1, unasked: unasked + counted });
    if (isFree) return allowed;

    const meters = this.env.METERS;
    const admission = await this.#ofMeter.admit({ now, minute: current, requestsPerMinute }, (request) =>
      meters
        .get(meters.idFromName(workspaceMeterName(workspaceId)))
        .share({ ...request, meter: this.ctx.id.toString() }),
    );
    const isOpen = current === this.#window.minute;
    if (admission === "unasked") {
      if (isOpen) this.#store({ ...this.#window, unasked: (this.#window.unasked ?? 0) + 1 });
      return allowed;
    }
    if (admission === "refused") {
      if (isOpen) this.#store({ ...this.#window, count: this.#window.count - 1 });
      return over;
    }
    return { ...allowed, remaining: Math.min(remaining, admission.left) };
  }

  #store(window: Window): void {
    this.#window = window;
    // Stored so that the count outlives this object's memory. Not awaited, to add no latency.
    // If it is refused, as with a used-up quota, requests are still counted in memory.
    this.ctx.storage.put("window", window, { allowUnconfirmed: true }).catch(() => {});
  }

  /** Of a workspace's meter: answers the meter of a key or person that asks for requests. */
  share(request: ShareRequest): Promise<Share> {
    return this.#ofWorkspace.answer(request);
  }

  /** Of the meter of a key or person: lets it ask from now on. @returns what it has admitted without asking */
  takeBackSlot(slot: number): Unasked {
    this.#ofMeter.giveBack(slot);
    const { minute: of, unasked = 0 } = this.#window;
    if (unasked > 0) this.#store({ ...this.#window, unasked: 0 });
    return { minute: of, count: unasked };
  }

  /**
   * Of a workspace's meter: counts heavy work, unless as much as is allowed has been done in this minute. The last work
   * may exceed that.
   * @param now epoch milliseconds
   * @returns 0, or the seconds after which more is allowed
   */
  takeWork(now: number, units: number, most: number): number {
    const current = Math.max(Math.floor(now / minute), this.#work.minute);
    const done = current === this.#work.minute ? this.#work.count : 0;
    if (done >= most) return Math.min(60, Math.max(1, Math.ceil(((current + 1) * minute - now) / 1000)));
    this.#work = { minute: current, count: done + units };
    this.ctx.storage.put("work", this.#work, { allowUnconfirmed: true }).catch(() => {});
    return 0;
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
    this.#ofMeter.reopen();
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
