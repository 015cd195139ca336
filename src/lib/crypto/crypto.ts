import { toBase64 } from "../text/base64.ts";

const encoder = new TextEncoder();

/** Lower-case hex of bytes. */
export function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** SHA-256 of text (as UTF-8) or bytes, 32 bytes. */
export async function digest(input: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof input === "string" ? encoder.encode(input) : input;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** The same in hex. */
export const sha256 = async (input: string | Uint8Array<ArrayBuffer>): Promise<string> =>
  hex(await digest(input));

/** A key for HMAC-SHA256 from a secret's text. */
export function hmacKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
}

/** HMAC-SHA256 of text, 32 bytes. */
export async function hmac(key: CryptoKey, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` random base62 characters, without bias. */
export function randomBase62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // 248 is the largest multiple of 62 in a byte: larger values would favour the first characters.
      if (byte < 248 && text.length < length) text += base62[byte % 62];
    }
  }
  return text;
}

const cipher = "AES-GCM";

/** A key that encrypts text, from a secret of any length. */
export async function encryptionKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", await digest(secret), cipher, false, ["encrypt", "decrypt"]);
}

/** Text encrypted and authenticated, in base64. */
export async function encryptText(key: CryptoKey, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const encrypted = new Uint8Array(
    await crypto.subtle.encrypt({ name: cipher, iv }, key, encoder.encode(text)),
  );
  return toBase64(new Uint8Array([...iv, ...encrypted]));
}

/** The text that was encrypted. @throws for what this key did not encrypt */
export async function decryptText(key: CryptoKey, encrypted: string): Promise<string> {
  const bytes = Uint8Array.from(atob(encrypted), (char) => char.charCodeAt(0));
  const text = await crypto.subtle.decrypt(
    { name: cipher, iv: bytes.subarray(0, 12) },
    key,
    bytes.subarray(12),
  );
  return new TextDecoder().decode(text);
}
