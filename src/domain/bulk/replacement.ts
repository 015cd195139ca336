import type { Replacement } from "../../contract/resources/bulk-update.ts";

/** An address after a replacement; the same text where it does not apply. */
export function replacer({ host, prefix }: Replacement): (address: string) => string {
  if (host !== undefined) return hostReplacer(host);
  return prefix === undefined ? (address) => address : prefixReplacer(prefix);
}

interface FromTo {
  readonly from: string;
  readonly to: string;
}

/** Addresses keep their scheme and what follows the host. */
function hostReplacer({ from, to }: FromTo): (address: string) => string {
  const { host } = new URL(`https://${from}`);
  return (address) =>
    new URL(address).host === host ? address.replace(/^(https?:\/\/)[^/?#]*/i, `$1${literal(to)}`) : address;
}

/** A prefix that ends within the host must be the whole host: others begin with the same letters. */
function prefixReplacer({ from, to }: FromTo): (address: string) => string {
  const start = withLowerOrigin(from);
  const isHostOnly = /^https?:\/\/[^/?#]*$/.test(start);
  return (address) => {
    if (!withLowerOrigin(address).startsWith(start)) return address;
    const rest = address.slice(start.length);
    return isHostOnly && !/^([/?#]|$)/.test(rest) ? address : to + rest;
  };
}

/** Case makes no difference in the scheme and the host. */
const withLowerOrigin = (address: string): string =>
  address.replace(/^https?:\/\/[^/?#]*/i, (origin) => origin.toLowerCase());

/** Text that stands for itself in a replacement pattern. */
const literal = (text: string): string => text.replaceAll("$", "$$$$");
