/**
 * A set of uniformly random 64-bit values, each given as two unsigned 32-bit halves. A `Set` of BigInts takes three
 * times the CPU for 2,000 values.
 */
export class ValueSet {
  #size = 0;
  /** The halves of each value, the low one first. */
  #words = new Uint32Array(16);
  /** Open addressing with linear probing, at most half full: a value's index plus one; 0 if free. */
  #table = new Int32Array(16);

  /** The number of values. */
  get size(): number {
    return this.#size;
  }

  /** The low and high half of each value, in order of arrival. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.#words.subarray(0, 2 * this.#size);
  }

  add(low: number, high: number): void {
    const mask = this.#table.length - 1;
    let slot = low & mask;
    for (;;) {
      const at = 2 * ((this.#table[slot] ?? 0) - 1);
      if (at < 0) break;
      if (this.#words[at] === low && this.#words[at + 1] === high) return;
      slot = (slot + 1) & mask;
    }
    if (2 * this.#size === this.#words.length) {
      this.#grow();
      this.add(low, high);
      return;
    }
    this.#words[2 * this.#size] = low;
    this.#words[2 * this.#size + 1] = high;
    this.#size += 1;
    this.#table[slot] = this.#size;
  }

  #grow(): void {
    const words = new Uint32Array(this.#words.length * 2);
    words.set(this.#words);
    this.#words = words;
    this.#table = new Int32Array(this.#table.length * 2);
    const mask = this.#table.length - 1;
    for (let index = 0; index < this.#size; index += 1) {
      let slot = (words[2 * index] ?? 0) & mask;
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
      this.#table[slot] = index + 1;
    }
  }
}
