const encoder = new TextEncoder();

/** Returns the SHA-256 of text (as UTF-8) or bytes: 32 bytes. */
export async function sha256Bytes(input: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof input === "string" ? encoder.encode(input) : input;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Returns the SHA-256 of text (as UTF-8) or bytes: 64 lower-case hex digits. */
export async function sha256Hex(input: string | Uint8Array<ArrayBuffer>): Promise<string> {
  return (await sha256Bytes(input)).toHex();
}

/** Imports an HMAC-SHA256 key from a secret's text. */
export function hmacKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
}

/** Returns the HMAC-SHA256 of text: 32 bytes. */
export const hmac = (key: CryptoKey, text: string): Promise<ArrayBuffer> =>
  crypto.subtle.sign("HMAC", key, encoder.encode(text));
