/**
 * Decodes UTF-8 that arrives in pieces, skipping a byte order mark at the beginning. The platform's decoder would also
 * skip one at the beginning of later pieces, so the text would depend on where the pieces end.
 */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #atStart = true;

  /** @param isLast whether the text ends with these bytes @throws TypeError for bytes that aren't UTF-8 */
  decode(bytes: Uint8Array, isLast: boolean): string {
    const text = this.#decoder.decode(bytes, { stream: !isLast });
    if (!this.#atStart || text === "") return text;
    this.#atStart = false;
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }
}

/**
 * Returns the number of bytes of text in UTF-8. Encoding it to count them takes several times as long, unless the text
 * is long.
 */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) < 0x80) continue;
    const point = text.codePointAt(i) ?? 0;
    if (point < 0x800) {
      bytes += 1;
    } else {
      bytes += 2;
      // The second half of a surrogate pair; together they are four bytes.
      if (point > 0xffff) i += 1;
    }
  }
  return bytes;
}
