/** Decodes strict base64; null for text with white space, without padding, or with other characters. */
export function readBase64(text: string): Uint8Array<ArrayBuffer> | null {
  // The platform's decoder skips white space.
  if (/\s/.test(text)) return null;
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    return null;
  }
}
