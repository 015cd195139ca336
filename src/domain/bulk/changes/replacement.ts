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
  const { host } = new URL(`https://${from}`);
  return (address) =>
    new URL(address).host === host ? address.replace(/^(https?:\/\/)[^/?#]*/i, `$1${literal(to)}`) : address;
}

/** A prefix that ends within the host only matches the whole host, not longer ones that start with the same letters. */
function prefixReplacer({ from, to }: FromTo): (address: string) => string {
  const start = withLowerOrigin(from);
  const isHostOnly = /^https?:\/\/[^/?#]*$/.test(start);
  return (address) => {
    if (!withLowerOrigin(address).startsWith(start)) return address;
    const rest = address.slice(start.length);
    return isHostOnly && !/^([/?#]|$)/.test(rest) ? address : to + rest;
  };
}

/** Scheme and host are case-insensitive. */
const withLowerOrigin = (address: string): string =>
  address.replace(/^https?:\/\/[^/?#]*/i, (origin) => origin.toLowerCase());

/** Escapes text for use in a replacement pattern. */
const literal = (text: string): string => text.replaceAll("$", "$$$$");
