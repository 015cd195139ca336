import { limits } from "../../contract/limits.ts";
import { decryptClaims, encryptClaims } from "../../lib/crypto/encryption.ts";
import type { Deps } from "../deps.ts";
import { cookieName } from "./sessions.ts";

/** How long a person may take to sign in, or to join, before the address that they typed is forgotten. */
export const typedAddressMilliseconds = 60 * 60_000;

/** The name of the cookie that holds the address typed on the welcome page before signing in. */
export const typedAddressCookie = (deps: Deps): string => cookieName(deps, "start");

/**
 * Returns an address as it was typed, without spaces around it; null if it is longer than a destination may be. Counted
 * in bytes, so that it fits into a cookie, and no longer when it is percent-encoded.
 */
export function readTypedAddress(text: string): string | null {
  const address = text.trim();
  return new TextEncoder().encode(address).length > limits.destination ? null : address;
}

/** The choices on the welcome page: an address as typed, and the name of a look; null for none. */
export interface TypedCode {
  readonly address: string;
  readonly look: string | null;
}

/** Returns the cookie's value, encrypted, which nobody else can read or make. */
export function sealTypedCode({ settings, now }: Deps, { address, look }: TypedCode): Promise<string> {
  const at = now();
  const { sessionSecrets } = settings.provider;
  return encryptClaims(
    sessionSecrets,
    "start",
    look === null ? { address } : { address, look },
    at,
    at + typedAddressMilliseconds,
  );
}

/** Returns what is in a cookie; null if there is none, it has expired or it isn't from this service. */
export async function openTypedCode(
  { settings, now }: Deps,
  sealed: string | undefined,
): Promise<TypedCode | null> {
  if (sealed === undefined) return null;
  const claims = await decryptClaims(settings.provider.sessionSecrets, "start", sealed, now());
  if (typeof claims?.address !== "string") return null;
  return { address: claims.address, look: typeof claims.look === "string" ? claims.look : null };
}
