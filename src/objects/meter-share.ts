import { describeError, log } from "../lib/log.ts";
import { runtimeTimers, withTimeout } from "../lib/with-timeout.ts";
import type { Share, ShareRequest } from "../protocol/key-meter.ts";

/** How long a meter waits for its workspace's, and how long it doesn't ask again once that has failed. */
const timing = { timeout: 2000, pause: 5000 };

/** How often a slot may be taken back before the answer that gives it arrives. */
const maxVoidSlots = 3;

/** A request that waits for the workspace's meter. */
interface Waiting {
  readonly now: number;
  readonly minute: number;
  readonly requestsPerMinute: number;
  /** @param left requests left to the workspace; null if this one is refused */
  settle(left: number | null): void;
}

/** The answer to one request. `unasked`: it is admitted without the workspace's meter. */
export type Admission = "unasked" | "refused" | { readonly left: number };

/** The share of a key's or person's meter in its workspace's limit. */
export class MeterShare {
  readonly #storage: DurableObjectStorage;
  readonly #unaskedIn: (minute: number) => number;
  readonly #reported: (minute: number, count: number) => void;
  #slot: number | undefined;
  /** Slots up to this number have been taken back, even if the answer that gives one is still on its way. */
  #voidSlot = 0;
  /** The minute in which the workspace is at its limit. */
  #fullMinute = 0;
  #askAgainAt = 0;
  #waiting: Waiting[] = [];
  #isAsking = false;

  /**
   * @param unaskedIn returns how many requests were admitted in a minute without asking
   * @param reported is called once the workspace's meter has counted some of these
   */
  constructor(
    storage: DurableObjectStorage,
    unaskedIn: (minute: number) => number,
    reported: (minute: number, count: number) => void,
  ) {
    this.#storage = storage;
    this.#unaskedIn = unaskedIn;
    this.#reported = reported;
    this.#slot = storage.kv.get<number>("slot");
  }

  /** Whether a request needs no answer of the workspace's meter. While that is away, the key's own cap is all that counts. */
  isFree(now: number): boolean {
    return this.#slot !== undefined || now < this.#askAgainAt;
  }

  /**
   * Asks the workspace's meter for one request. Requests that arrive meanwhile are asked for together.
   * @param ask calls it
   */
  async admit(
    request: Pick<Waiting, "now" | "minute" | "requestsPerMinute">,
    ask: (request: Omit<ShareRequest, "meter">) => Promise<Share>,
  ): Promise<Admission> {
    if (this.#fullMinute === request.minute) return "refused";
    const { promise, resolve } = Promise.withResolvers<number | null>();
    this.#waiting.push({ ...request, settle: resolve });
    if (!this.#isAsking) void this.#askForAll(ask);
    const left = await promise;
    if (left === null) return "refused";
    return left === Number.POSITIVE_INFINITY ? "unasked" : { left };
  }

  async #askForAll(ask: (request: Omit<ShareRequest, "meter">) => Promise<Share>): Promise<void> {
    this.#isAsking = true;
    let voidSlots = 0;
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      const { minute, now, requestsPerMinute } = first;
      const batch = this.#waiting.filter((each) => each.minute === minute);
      const settle = (left: (place: number) => number | null) => {
        this.#waiting = this.#waiting.filter((each) => !batch.includes(each));
        for (const [place, each] of batch.entries()) each.settle(left(place));
      };
      if (this.isFree(now)) {
        settle(() => Number.POSITIVE_INFINITY);
        continue;
      }
      const unasked = this.#unaskedIn(minute);
      try {
        const asked = { minute, count: batch.length, unasked, requestsPerMinute };
        const share = await withTimeout(runtimeTimers, timing.timeout, () => ask(asked));
        if (share.slot !== undefined) {
          if (!this.#takeSlot(share.slot)) voidSlots += 1;
          if (voidSlots > maxVoidSlots) throw new Error("only slots that were taken back");
          continue;
        }
        const { granted, left } = share;
        this.#reported(minute, unasked);
        if (granted < batch.length) this.#fullMinute = minute;
        settle((place) => (place < granted ? left + granted - place - 1 : null));
      } catch (error) {
        log("error", "workspace's meter not reached", { error: describeError(error) });
        this.#askAgainAt = now + timing.pause;
      }
    }
    this.#isAsking = false;
  }

  /** @returns false if the slot was taken back before the answer with it arrived */
  #takeSlot(slot: number): boolean {
    if (slot <= this.#voidSlot) return false;
    this.#slot = slot;
    this.#storage.kv.put("slot", slot);
    return true;
  }

  /** Gives a slot back. */
  giveBack(slot: number): void {
    this.#voidSlot = Math.max(this.#voidSlot, slot);
    if (this.#slot === undefined || this.#slot > slot) return;
    this.#slot = undefined;
    this.#storage.kv.delete("slot");
  }

  /** Lets the workspace's meter be asked again in a minute in which it was full, because the limit has changed. */
  reopen(): void {
    this.#fullMinute = 0;
  }
}
