import { describeError, log } from "../lib/log.ts";
import { runtimeTimers, withTimeout } from "../lib/with-timeout.ts";
import { capsPerWorkspace, type Share, type ShareRequest, type Unasked } from "../protocol/key-meter.ts";

/** How long a workspace's meter waits for one of a key or person. */
const timeoutMilliseconds = 1000;

interface Window {
  /** Minutes since the epoch. */
  readonly minute: number;
  readonly count: number;
}

interface Slots {
  /** The number of the slots given out now. Slots with a lower number are void. */
  readonly number: number;
  /** The ids of the meters that have one. */
  readonly holders: readonly string[];
}

/**
 * The count of a workspace's API requests, in the workspace's meter. Up to four meters of keys and people have a slot: they
 * don't ask, because together they can't exceed four times the cap of each. When a fifth is in use, the slots are taken
 * back with what was counted under them, and for the rest of the minute every request asks. So the limit is exact, and
 * costs a call only where more than four keys or people send requests in the same minute.
 */
export class WorkspaceShare {
  readonly #storage: DurableObjectStorage;
  readonly #takeBack: (meter: string, slot: number) => Promise<Unasked>;
  #window: Window;
  #slots: Slots;
  #takingBack: Promise<void> | undefined;
  /** Meters that keep their slots for this minute, because they could not be reached. */
  #unreachable: readonly string[] = [];

  /** @param takeBack takes back the slot of another meter */
  constructor(storage: DurableObjectStorage, takeBack: (meter: string, slot: number) => Promise<Unasked>) {
    this.#storage = storage;
    this.#takeBack = takeBack;
    this.#window = storage.kv.get<Window>("shared") ?? { minute: 0, count: 0 };
    this.#slots = storage.kv.get<Slots>("slots") ?? { number: 1, holders: [] };
  }

  /** Answers a meter. A request from a lagging clock counts in the minute already begun. */
  async answer({ meter, minute, count, unasked, requestsPerMinute }: ShareRequest): Promise<Share> {
    for (;;) {
      await this.#takingBack;
      this.#advance(minute);
      const { number, holders } = this.#slots;
      if (holders.includes(meter)) return { slot: number };
      if (holders.length < capsPerWorkspace && this.#window.count + unasked === 0) {
        this.#storeSlots({ number, holders: [...holders, meter] });
        return { slot: number };
      }
      if (holders.every((each) => this.#unreachable.includes(each))) break;
      this.#takingBack ??= this.#takeBackAll().finally(() => {
        this.#takingBack = undefined;
      });
    }
    const reported = minute === this.#window.minute ? unasked : 0;
    const before = this.#window.count + reported;
    // Meters that could not be reached may use up their caps without asking.
    const limit = (capsPerWorkspace - this.#slots.holders.length) * requestsPerMinute;
    const granted = Math.max(0, Math.min(count, limit - before));
    this.#storeWindow({ ...this.#window, count: before + granted });
    return { granted, left: Math.max(0, limit - before - granted) };
  }

  async #takeBackAll(): Promise<void> {
    const { number, holders } = this.#slots;
    const results = await Promise.all(
      holders
        .filter((meter) => !this.#unreachable.includes(meter))
        .map(async (meter) => {
          try {
            const take = () => this.#takeBack(meter, number);
            return { meter, unasked: await withTimeout(runtimeTimers, timeoutMilliseconds, take) };
          } catch (error) {
            log("error", "a meter keeps its slot", { meter, error: describeError(error) });
            return { meter, unasked: undefined };
          }
        }),
    );
    const taken = results.flatMap(({ unasked }) => unasked ?? []);
    this.#advance(Math.max(0, ...taken.map(({ minute }) => minute)));
    const inMinute = taken.filter(({ minute }) => minute === this.#window.minute);
    const count = inMinute.reduce((sum, each) => sum + each.count, this.#window.count);
    const failed = results.filter(({ unasked }) => unasked === undefined).map(({ meter }) => meter);
    this.#unreachable = [...this.#unreachable, ...failed];
    this.#storeSlots({ number: number + 1, holders: this.#unreachable });
    this.#storeWindow({ ...this.#window, count });
  }

  #advance(minute: number): void {
    if (minute <= this.#window.minute) return;
    this.#window = { minute, count: 0 };
    this.#unreachable = [];
  }

  #storeSlots(slots: Slots): void {
    this.#slots = slots;
    this.#storage.kv.put("slots", slots);
  }

  #storeWindow(window: Window): void {
    this.#window = window;
    // As in `KeyMeter.hit`.
    this.#storage.put("shared", window, { allowUnconfirmed: true }).catch(() => {});
  }
}
