/**
 * Reads unsigned LEB128 integers up to 2^53 - 1: 7 bits per byte, lowest first, with the high bit set on all but the
 * last. Methods throw RangeError on malformed bytes.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  varint(): number {
    const first = this.#bytes[this.#position] ?? 0x80;
    if (first < 0x80) {
      this.#position += 1;
      return first;
    }
    return this.#longVarint();
  }

  /** @throws RangeError if bytes are left */
  expectEnd(): void {
    if (this.#position !== this.#bytes.length) throw malformedCounts();
  }

  #longVarint(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.#bytes[this.#position];
      if (byte === undefined) throw malformedCounts();
      this.#position += 1;
      value += (byte & 0x7f) * unit;
      if (value > Number.MAX_SAFE_INTEGER) throw malformedCounts();
      if (byte < 0x80) {
        // Every number has only one encoding, so that equal counts have equal bytes.
        if (byte === 0) throw malformedCounts();
        return value;
      }
      unit *= 0x80;
      if (unit > 2 ** 49) throw malformedCounts();
    }
  }
}

/** Writes the format that `ByteReader` reads. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  /** @param value an integer from 0 to 2^53 - 1 */
  varint(value: number): void {
    if (this.#length + 8 > this.#bytes.length) {
      const bytes = new Uint8Array(this.#bytes.length * 2);
      bytes.set(this.#bytes);
      this.#bytes = bytes;
    }
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length] = (rest % 0x80) | 0x80;
      this.#length += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
  }

  /** Returns everything written since the last call. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }
}

const malformedCounts = () => new RangeError("Malformed packed counts.");
