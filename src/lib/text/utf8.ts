/**
 * Decodes UTF-8 that arrives in pieces, and skips a byte order mark at its beginning. The platform's decoder skips one
 * at the beginning of a later piece too, so that the text would depend on where the pieces end.
 */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #atStart = true;

  /** @param isLast whether the text ends with these bytes @throws TypeError for bytes that are not UTF-8 */
  decode(bytes: Uint8Array, isLast: boolean): string {
    const text = this.#decoder.decode(bytes, { stream: !isLast });
    if (!this.#atStart || text === "") return text;
    this.#atStart = false;
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }
}
