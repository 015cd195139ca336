import type { JWTPayload } from "jose";
import { digest } from "./crypto.ts";

/**
 * Claims as text that only a holder of the secret can read or make: a JWE, A256GCM.
 * @param use what the text is for: it opens for nothing else
 * @param from,until when it is valid, epoch milliseconds
 */
export async function seal(
  secret: string,
  use: string,
  claims: Record<string, string>,
  from: number,
  until: number,
): Promise<string> {
  const { EncryptJWT } = await import("jose");
  return new EncryptJWT(claims)
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .setAudience(use)
    .setIssuedAt(new Date(from))
    .setExpirationTime(new Date(until))
    .encrypt(await keyOf(secret));
}

/** The claims of a sealed text; null for one that is expired, for another use, or not of this secret. */
export async function unseal(
  secret: string,
  use: string,
  sealed: string,
  now: number,
): Promise<JWTPayload | null> {
  const { errors, jwtDecrypt } = await import("jose");
  try {
    const { payload } = await jwtDecrypt(sealed, await keyOf(secret), {
      audience: use,
      currentDate: new Date(now),
      keyManagementAlgorithms: ["dir"],
      contentEncryptionAlgorithms: ["A256GCM"],
      requiredClaims: ["exp"],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** 32 bytes from a secret of any length. The secret is random: nothing slower than a hash is needed. */
const keyOf = (secret: string): Promise<Uint8Array> => digest(secret);
