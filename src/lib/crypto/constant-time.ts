import { sha256Bytes } from "./digest.ts";

/** Compares in constant time. Compares digests, so that the time doesn't depend on the length either. */
export async function equalInConstantTime(a: string, b: string): Promise<boolean> {
  return crypto.subtle.timingSafeEqual(await sha256Bytes(a), await sha256Bytes(b));
}
