import { sha256Bytes } from "./digest.ts";

/** Compares in constant time. Digests are compared, so that the time does not depend on the length either. */
export async function equalInConstantTime(a: string, b: string): Promise<boolean> {
  return crypto.subtle.timingSafeEqual(await sha256Bytes(a), await sha256Bytes(b));
}
