const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * Returns `length` unbiased random base62 characters. Written by hand, because nanoid would be a dependency just for
 * this.
 */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 62 that fits in a byte; larger values would favour the first characters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}
