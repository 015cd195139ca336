import type { JWTPayload } from "jose";
import { sha256Bytes } from "./digest.ts";
import type { Keyring } from "./keyring.ts";

// Each function imports jose itself, because most isolates only redirect and shouldn't load it at startup.

/** Everything is encrypted as a compact JWE with a key derived from a secret. Its header names the secret's id. */
const header = { alg: "dir", enc: "A256GCM" } as const;
const accepted = {
  keyManagementAlgorithms: [header.alg],
  contentEncryptionAlgorithms: [header.enc],
};

/** Encrypts and authenticates text with the newest secret. */
export async function encryptText(keyring: Keyring, text: string): Promise<string> {
  const { CompactEncrypt } = await import("jose");
  const { kid, key } = await newestKey(keyring);
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ ...header, kid })
    .encrypt(key);
}

/** Decrypts a JWE. @throws JOSEError if it was not encrypted with one of these secrets */
export async function decryptText(keyring: Keyring, encrypted: string): Promise<string> {
  const { compactDecrypt } = await import("jose");
  const { plaintext } = await compactDecrypt(encrypted, keyOf(keyring), accepted);
  return new TextDecoder().decode(plaintext);
}

/** Returns whether a JWE was encrypted with the newest secret. */
export async function isOfNewest(keyring: Keyring, encrypted: string): Promise<boolean> {
  const { decodeProtectedHeader } = await import("jose");
  return decodeProtectedHeader(encrypted).kid === String(keyring[0]?.id);
}

/**
 * Encrypts and authenticates claims with the newest secret, as a JWT that only its holder can read or create.
 * @param audience the token's purpose; the token is rejected for any other
 * @param issuedAt,expiresAt epoch milliseconds
 */
export async function encryptClaims(
  keyring: Keyring,
  audience: string,
  claims: Record<string, string>,
  issuedAt: number,
  expiresAt: number,
): Promise<string> {
  const { EncryptJWT } = await import("jose");
  const { kid, key } = await newestKey(keyring);
  return new EncryptJWT(claims)
    .setProtectedHeader({ ...header, kid })
    .setAudience(audience)
    .setIssuedAt(new Date(issuedAt))
    .setExpirationTime(new Date(expiresAt))
    .encrypt(key);
}

/** Returns a token's claims; null if it has expired, is for another audience, or was encrypted with no secret of these. */
export async function decryptClaims(
  keyring: Keyring,
  audience: string,
  token: string,
  now: number,
): Promise<JWTPayload | null> {
  const { errors, jwtDecrypt } = await import("jose");
  try {
    const { payload } = await jwtDecrypt(token, keyOf(keyring), {
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

async function newestKey([newest]: Keyring): Promise<{ kid: string; key: Uint8Array }> {
  if (newest === undefined) throw new Error("there is no secret to encrypt with");
  return { kid: String(newest.id), key: await encryptionKey(newest.secret) };
}

/** Returns a function that finds the key of a JWE by its header. */
const keyOf = (keyring: Keyring) => async (jweHeader: { kid?: string }) => {
  const found = keyring.find(({ id }) => String(id) === jweHeader.kid);
  if (found !== undefined) return encryptionKey(found.secret);
  const { errors } = await import("jose");
  throw new errors.JWEDecryptionFailed("no such secret");
};

/** Derives a 256-bit key from a secret of any length. The secret is random, so a plain hash is enough. */
const encryptionKey = (secret: string): Promise<Uint8Array> => sha256Bytes(secret);
