/** Limits the concurrent calls in this isolate, and so the memory that their drawings take. */
export class Gate {
  readonly #most: number;
  #underWay = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws immediately if too many are in progress */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#underWay >= this.#most) throw new Error(`${this.#most} calls are under way`);
    this.#underWay += 1;
    try {
      return await work();
    } finally {
      this.#underWay -= 1;
    }
  }
}
