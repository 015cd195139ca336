/** Byte order marks and the encodings they stand for. */
const marks: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Decodes a text file that arrives in pieces, in the encoding of its byte order mark, which is skipped, or else in the
 * declared one. The first piece must contain the mark.
 */
export class FileDecoder {
  #encoding: string;
  #decoder: TextDecoder | undefined;

  /** @param charset a name of the Encoding Standard @throws RangeError for an unknown one */
  constructor(charset = "utf-8") {
    this.#encoding = new TextDecoder(charset).encoding;
  }

  /** The encoding's standard name. */
  get encoding(): string {
    return this.#encoding;
  }

  /** @param isLast whether the text ends with these bytes @throws TypeError for bytes that aren't in the encoding */
  decode(bytes: Uint8Array, isLast: boolean): string {
    const stream = !isLast;
    if (this.#decoder !== undefined) return this.#decoder.decode(bytes, { stream });
    const found = marks.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte));
    const [encoding, mark] = found ?? [this.#encoding, []];
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    return this.#decoder.decode(bytes.subarray(mark.length), { stream });
  }
}
