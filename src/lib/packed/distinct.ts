import { packedSketchSize, Sketch } from "./sketch.ts";
import { ValueSet } from "./value-set.ts";

export { sketchError } from "./sketch.ts";

const valueSize = 8;

/** The first byte of a packed set. */
const kinds = { exact: 1, sketch: 2 } as const;

/** How many values a set holds exactly by default. */
const defaultExactLimit = 2000;

/** The number of a set's values, and whether it is exact or a sketch's estimate. */
export interface DistinctCount {
  readonly count: number;
  readonly exact: boolean;
}

/** A packed set parsed once for several unions: the halves of its values, or its sketch. Immutable. */
export type UnpackedSet = Uint32Array | Sketch;

/** Parses the output of `Distinct.pack`. @throws RangeError if the bytes are malformed */
export function unpackSet(bytes: Uint8Array): UnpackedSet {
  const content = bytes.subarray(1);
  if (bytes[0] === kinds.sketch) return Sketch.unpack(content);
  if (bytes[0] !== kinds.exact || content.length % valueSize !== 0) throw malformedSet();
  const words = asWords(content);
  if (!isAscending(words)) throw malformedSet();
  return words;
}

/**
 * A set of uniformly random 8-byte values, such as keyed hashes: exact up to a limit, a HyperLogLog sketch beyond. The
 * result of a union doesn't depend on the order.
 */
export class Distinct {
  readonly #exactLimit: number;
  #set: ValueSet | Sketch = new ValueSet();
  /** The first set added to an empty one. Most unions in a report have no other, and only need its count. */
  #only: UnpackedSet | undefined;
  /** The halves of a value, and its bytes. */
  readonly #words = new Uint32Array(2);
  readonly #bytes = new Uint8Array(this.#words.buffer);

  /** @param options.exactLimit how many values are held exactly, 8 bytes each when packed; 2,000 by default */
  constructor({ exactLimit = defaultExactLimit }: { readonly exactLimit?: number } = {}) {
    this.#exactLimit = exactLimit;
  }

  /** Adds a value. @throws RangeError if it doesn't have 8 bytes */
  add(value: Uint8Array): void {
    if (value.length !== valueSize) throw new RangeError("A value must have 8 bytes.");
    this.#bytes.set(value);
    this.#settle();
    this.#addWords(this.#words);
  }

  /**
   * Adds all values of a packed set, which may have had another limit. A union with a sketch is a sketch.
   * @throws RangeError if the bytes are malformed; then nothing has been added
   */
  addPacked(bytes: Uint8Array): void {
    this.addUnpacked(unpackSet(bytes));
  }

  /** Adds all values of a parsed set, like `addPacked`. */
  addUnpacked(set: UnpackedSet): void {
    const isEmpty = this.#only === undefined && this.#set instanceof ValueSet && this.#set.size === 0;
    if (isEmpty && (set instanceof Sketch || set.length <= 2 * this.#exactLimit)) {
      this.#only = set;
      return;
    }
    this.#settle();
    this.#merge(set);
  }

  /**
   * Returns the set as bytes, which are the same for equal sets and limits: a byte for the kind, then the values as
   * ascending little-endian integers, or the sketch (3,072 bytes).
   */
  pack(): Uint8Array<ArrayBuffer> {
    this.#settle();
    if (this.#set instanceof Sketch) {
      const bytes = new Uint8Array(1 + packedSketchSize);
      bytes[0] = kinds.sketch;
      this.#set.packInto(bytes.subarray(1));
      return bytes;
    }
    const values = new BigUint64Array(this.#set.words.slice().buffer).sort();
    const bytes = new Uint8Array(1 + values.byteLength);
    bytes[0] = kinds.exact;
    bytes.set(new Uint8Array(values.buffer), 1);
    return bytes;
  }

  /** Returns the number of values, rounded. If it isn't exact, `sketchError` is its relative standard error. */
  count(): DistinctCount {
    const set = this.#only ?? this.#set;
    if (set instanceof Sketch) return { count: Math.round(set.estimate()), exact: false };
    return { count: set instanceof ValueSet ? set.size : set.length / 2, exact: true };
  }

  #settle(): void {
    const only = this.#only;
    this.#only = undefined;
    if (only !== undefined) this.#merge(only);
  }

  #merge(set: UnpackedSet): void {
    if (set instanceof Sketch) this.#toSketch().merge(set);
    else this.#addWords(set);
  }

  #addWords(words: Uint32Array): void {
    let i = 0;
    if (this.#set instanceof ValueSet) {
      const set = this.#set;
      for (; i < words.length && set.size <= this.#exactLimit; i += 2)
        set.add(words[i] ?? 0, words[i + 1] ?? 0);
      if (set.size <= this.#exactLimit) return;
    }
    const sketch = this.#toSketch();
    for (; i < words.length; i += 2) sketch.add(words[i] ?? 0, words[i + 1] ?? 0);
  }

  #toSketch(): Sketch {
    if (this.#set instanceof Sketch) return this.#set;
    const { words } = this.#set;
    const sketch = new Sketch();
    for (let i = 0; i < words.length; i += 2) sketch.add(words[i] ?? 0, words[i + 1] ?? 0);
    this.#set = sketch;
    return sketch;
  }
}

/** Returns values as their halves, low one first. Workers only run on little-endian machines, so this is a copy. */
function asWords(values: Uint8Array): Uint32Array {
  return new Uint32Array(values.slice().buffer);
}

function isAscending(words: Uint32Array): boolean {
  for (let i = 2; i < words.length; i += 2) {
    const order = (words[i + 1] ?? 0) - (words[i - 1] ?? 0) || (words[i] ?? 0) - (words[i - 2] ?? 0);
    if (order <= 0) return false;
  }
  return true;
}

const malformedSet = () => new RangeError("Malformed packed set.");
