interface Entry<V> {
  readonly value: V;
  readonly bytes: number;
}

/** The bytes of an entry, and of each value in it, besides its text. */
const perEntry = 100;
const perValue = 16;

/** Fits an isolate's 128 MiB beside the larger memories, which have bounds of their own. */
const defaultBytes = 4 * 1024 * 1024;

/**
 * A map that drops its oldest entries when it exceeds `capacity` entries or `maxBytes`, so that what strangers choose
 * can't fill an isolate's memory. An entry larger than `maxBytes` isn't kept. Setting a key again makes it the newest. Not
 * an LRU package, because those reorder on every read, and reads are the redirect's hot path.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, Entry<V>>();
  readonly #capacity: number;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(capacity: number, maxBytes = defaultBytes) {
    this.#capacity = capacity;
    this.#maxBytes = maxBytes;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: K, value: V): void {
    this.#delete(key);
    const bytes = perEntry + sizeOf(key) + sizeOf(value);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest] of this.#entries) {
      if (this.#entries.size <= this.#capacity && this.#bytes <= this.#maxBytes) return;
      this.#delete(oldest);
    }
  }

  #delete(key: K): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

/** Returns roughly how many bytes a value takes, with two for each unit of text. @param value JSON or bytes; others count as one value */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return perValue + 2 * value.length;
  if (ArrayBuffer.isView(value)) return perValue + value.byteLength;
  if (typeof value !== "object" || value === null) return perValue;
  let bytes = perValue;
  for (const [name, member] of Object.entries(value)) bytes += 2 * name.length + sizeOf(member);
  return bytes;
}
