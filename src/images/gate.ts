/** How long a call counts, milliseconds: twice as long as its caller waits. */
const countedMilliseconds = 60_000;

/** Limits the concurrent calls in this isolate, and so the memory that their drawings take. */
export class Gate {
  readonly #most: number;
  readonly #now: () => number;
  /** The calls in progress, and when each began. One whose caller has ended never ends itself. */
  readonly #underWay = new Map<symbol, number>();

  constructor(most: number, now: () => number = Date.now) {
    this.#most = most;
    this.#now = now;
  }

  /** @throws immediately if too many are in progress */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    const now = this.#now();
    for (const [call, began] of this.#underWay)
      if (now - began > countedMilliseconds) this.#underWay.delete(call);
    if (this.#underWay.size >= this.#most) throw new Error(`${this.#most} calls are under way`);
    const call = Symbol("call");
    this.#underWay.set(call, now);
    try {
      return await work();
    } finally {
      this.#underWay.delete(call);
    }
  }
}
