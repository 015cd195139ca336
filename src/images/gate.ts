/** How long a call counts, milliseconds: twice as long as its caller waits. */
const countedMilliseconds = 60_000;

/** How often a call that waits looks whether it can begin, and how long it waits, milliseconds. */
const turn = 25;
const longestWait = 20_000;

/** Limits the concurrent calls in this isolate, and so the memory that their drawings take. */
export class Gate {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #now: () => number;
  readonly #waiting = new Map<symbol, number>();
  /** The calls in progress, and when each began. One whose caller has ended never ends itself. */
  readonly #underWay = new Map<symbol, number>();

  /** @param mostWaiting calls that wait for others to end */
  constructor(most: number, mostWaiting = 0, now: () => number = Date.now) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
    this.#now = now;
  }

  /** @throws if too many are in progress, and too many wait */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const call = Symbol("call");
    if (this.#isFull()) await this.#wait(call);
    this.#underWay.set(call, this.#now());
    try {
      return await work();
    } finally {
      this.#underWay.delete(call);
    }
  }

  #isFull(): boolean {
    this.#forgetEnded(this.#underWay);
    return this.#underWay.size >= this.#most;
  }

  async #wait(call: symbol): Promise<void> {
    this.#forgetEnded(this.#waiting);
    const began = this.#now();
    if (this.#waiting.size >= this.#mostWaiting) throw new Error(`${this.#most} calls are under way`);
    this.#waiting.set(call, began);
    try {
      // A promise that another request resolves would belong to that request.
      do {
        if (this.#now() - began > longestWait) throw new Error(`${this.#most} calls are under way for long`);
        await scheduler.wait(turn);
      } while (this.#isFull());
    } finally {
      this.#waiting.delete(call);
    }
  }

  #forgetEnded(calls: Map<symbol, number>): void {
    const now = this.#now();
    for (const [call, began] of calls) if (now - began > countedMilliseconds) calls.delete(call);
  }
}
