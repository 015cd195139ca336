import type { Replacement } from "../../../contract/resources/codes/bulk-update.ts";

/**
 * Returns a function that applies a replacement to an address, or returns the address unchanged if it doesn't match.
 */
export function replacer({ host, prefix }: Replacement): (address: string) => string {
  if (host !== undefined) return hostReplacer(host);
  return prefix === undefined ? (address) => address : prefixReplacer(prefix);
}

interface FromTo {
  readonly from: string;
  readonly to: string;
}

/** Keeps the scheme and everything after the host. */
function hostReplacer({ from, to }: FromTo): (address: string) => string {
  const host = hostOf(`https://${from}`);
  return (address) =>
    hostOf(address) === host ? address.replace(/^(https?:\/\/)[^/?#]*/i, `$1${literal(to)}`) : address;
}

/** Returns the host of an address with its port. Addresses stored by earlier rules may have a dot at its end. */
const hostOf = (address: string): string => new URL(address).host.replace(/\.(?=:|$)/, "");

/**
 * A prefix matches whole parts of an address: `https://example.com/old` isn't the beginning of `…/older`. One that ends
 * between two parts matches whatever follows.
 */
function prefixReplacer({ from, to }: FromTo): (address: string) => string {
  const start = withLowerOrigin(from);
  return (address) =>
    withLowerOrigin(address).startsWith(start) && endsPart(start, address)
      ? to + address.slice(start.length)
      : address;
}

/** Returns whether an address begins with a prefix that ends within a part of it, so that a replacement leaves it. */
export function isNearMiss({ prefix }: Replacement, address: string): boolean {
  const start = withLowerOrigin(prefix?.from ?? address);
  return withLowerOrigin(address).startsWith(start) && !endsPart(start, address);
}

const endsPart = (start: string, address: string): boolean =>
  /[/?#&=]$/.test(start) || /^(?:[/?#&=]|$)/.test(address.slice(start.length));

/** Scheme and host are case-insensitive. */
const withLowerOrigin = (address: string): string =>
  address.replace(/^https?:\/\/[^/?#]*/i, (origin) => origin.toLowerCase());

/** Escapes text for use in a replacement pattern. */
const literal = (text: string): string => text.replaceAll("$", "$$$$");
