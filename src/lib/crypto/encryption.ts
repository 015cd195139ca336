import type { JWTPayload } from "jose";
import { sha256Bytes } from "./digest.ts";

// Each function imports jose itself, because most isolates only redirect and shouldn't load it at startup.

/** Everything is encrypted as a compact JWE with a key derived from the secret. */
const header = { alg: "dir", enc: "A256GCM" } as const;
const accepted = {
  keyManagementAlgorithms: [header.alg],
  contentEncryptionAlgorithms: [header.enc],
};

/** Encrypts and authenticates text. @param secret of any length */
export async function encryptText(secret: string, text: string): Promise<string> {
  const { CompactEncrypt } = await import("jose");
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader(header)
    .encrypt(await encryptionKey(secret));
}

/** Decrypts a JWE. @throws JOSEError if it was not encrypted with this secret */
export async function decryptText(secret: string, encrypted: string): Promise<string> {
  const { compactDecrypt } = await import("jose");
  const { plaintext } = await compactDecrypt(encrypted, await encryptionKey(secret), accepted);
  return new TextDecoder().decode(plaintext);
}

/**
 * Encrypts and authenticates claims, as a JWT that only a holder of the secret can read or create.
 * @param audience the token's purpose; the token is rejected for any other
 * @param issuedAt,expiresAt epoch milliseconds
 */
export async function encryptClaims(
  secret: string,
  audience: string,
  claims: Record<string, string>,
  issuedAt: number,
  expiresAt: number,
): Promise<string> {
  const { EncryptJWT } = await import("jose");
  return new EncryptJWT(claims)
    .setProtectedHeader(header)
    .setAudience(audience)
    .setIssuedAt(new Date(issuedAt))
    .setExpirationTime(new Date(expiresAt))
    .encrypt(await encryptionKey(secret));
}

/** Returns a token's claims; null if it has expired, is for another audience, or was encrypted with another secret. */
export async function decryptClaims(
  secret: string,
  audience: string,
  token: string,
  now: number,
): Promise<JWTPayload | null> {
  const { errors, jwtDecrypt } = await import("jose");
  try {
    const { payload } = await jwtDecrypt(token, await encryptionKey(secret), {
      ...accepted,
      audience,
      currentDate: new Date(now),
      requiredClaims: ["exp"],
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** Derives a 256-bit key from a secret of any length. The secret is random, so a plain hash is enough. */
const encryptionKey = (secret: string): Promise<Uint8Array> => sha256Bytes(secret);
