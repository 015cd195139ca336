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

/** Returns the cookie's value, encrypted, which nobody else can read or make. */
export function sealTypedAddress({ settings, now }: Deps, address: string): Promise<string> {
  const at = now();
  const { sessionSecrets } = settings.provider;
  return encryptClaims(sessionSecrets, "start", { address }, at, at + typedAddressMilliseconds);
}

/** Returns the address in a cookie; null if there is none, it has expired or it isn't from this service. */
export async function openTypedAddress(
  { settings, now }: Deps,
  sealed: string | undefined,
): Promise<string | null> {
  if (sealed === undefined) return null;
  const claims = await decryptClaims(settings.provider.sessionSecrets, "start", sealed, now());
  return typeof claims?.address === "string" ? claims.address : null;
}
