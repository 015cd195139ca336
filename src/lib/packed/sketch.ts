/** 12 bits of a value select its register. */
const registerCount = 4096;

/** A register is 0 while empty, otherwise one more than the most leading zeros in the other 52 bits of a value. */
const maxRank = 53;

/**
 * The standard error of a sketch's estimate, relative to the true number: 1.04 / sqrt(registers), from Flajolet, Fusy,
 * Gandouet and Meunier, "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm" (2007).
 */
export const sketchError = 1.04 / Math.sqrt(registerCount);

/** The size of a packed sketch: 6 bits per register. */
export const packedSketchSize = (registerCount * 6) / 8;

/** A HyperLogLog sketch of a set of uniformly random 64-bit values, each given as two unsigned 32-bit halves. */
export class Sketch {
  readonly #registers = new Uint8Array(registerCount);

  /** Parses the output of `packInto`. @throws RangeError if the bytes are malformed */
  static unpack(bytes: Uint8Array): Sketch {
    if (bytes.length !== packedSketchSize) throw new RangeError("A packed sketch has another size.");
    const sketch = new Sketch();
    const registers = sketch.#registers;
    for (let i = 0, at = 0; i < registerCount; i += 4, at += 3) {
      const four = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
      for (let k = 0; k < 4; k += 1) registers[i + k] = (four >> (18 - 6 * k)) & 63;
    }
    if (registers.some((rank) => rank > maxRank)) throw new RangeError("A packed sketch has other ranks.");
    return sketch;
  }

  /** Adds a value, whose own bits serve as its hash. */
  add(low: number, high: number): void {
    // The register comes from the 12 lowest bits, the rank from the leading zeros of the other 52.
    const rank = high === 0 ? Math.min(33 + Math.clz32(low & ~0xfff), maxRank) : 1 + Math.clz32(high);
    this.#raise(low & 0xfff, rank);
  }

  /** Adds all values of another sketch. */
  merge(other: Sketch): void {
    for (let i = 0; i < registerCount; i += 1) this.#raise(i, other.#registers[i] ?? 0);
  }

  /** Writes `packedSketchSize` bytes: four registers per three bytes, the first one in the highest bits. */
  packInto(bytes: Uint8Array): void {
    const registers = this.#registers;
    for (let i = 0, at = 0; i < registerCount; i += 4, at += 3) {
      let four = 0;
      for (let k = 0; k < 4; k += 1) four = (four << 6) | (registers[i + k] ?? 0);
      bytes[at] = four >> 16;
      bytes[at + 1] = four >> 8;
      bytes[at + 2] = four;
    }
  }

  /**
   * Returns the estimated number of values, unbiased for small numbers: the improved raw estimator of Ertl, "New
   * cardinality estimation algorithms for HyperLogLog sketches" (2017). Its other correction, for saturated registers,
   * only matters beyond 2^50 values.
   */
  estimate(): number {
    const multiplicity = new Uint16Array(maxRank + 1);
    for (const rank of this.#registers) multiplicity[rank] = (multiplicity[rank] ?? 0) + 1;
    const share = (rank: number) => (multiplicity[rank] ?? 0) / registerCount;
    let sum = 0;
    for (let rank = maxRank; rank >= 1; rank -= 1) sum = (sum + share(rank)) / 2;
    return registerCount / (2 * Math.LN2 * (sum + sigma(share(0))));
  }

  #raise(register: number, rank: number): void {
    if (rank > (this.#registers[register] ?? 0)) this.#registers[register] = rank;
  }
}

/** Ertl's σ, which corrects for empty registers: x + Σ x^(2^k) 2^(k-1) for k ≥ 1, infinite at 1. */
function sigma(share: number): number {
  if (share === 1) return Infinity;
  let power = share;
  let factor = 1;
  let sum = share;
  for (;;) {
    power *= power;
    const next = sum + power * factor;
    if (next === sum) return sum;
    sum = next;
    factor *= 2;
  }
}
