import tlds from "tlds" with { type: "json" };

/** Names at the end of hosts that no registry gives out, because they are reserved for documents or private networks. */
const reserved = ["example", "test", "localhost", "local", "internal", "lan"];

/** IANA's top-level domains, in the form of hosts in addresses, and those that are reserved. */
const known: ReadonlySet<string> = new Set([
  ...tlds.map((name) => new URL(`http://host.${name}`).hostname.slice("host.".length)),
  ...reserved,
]);

/** Returns whether a host ends in a top-level domain. Never loaded to answer a scan. @param host in Punycode, without a dot at its end */
export const hasTopLevelDomain = (host: string): boolean => known.has(host.slice(host.lastIndexOf(".") + 1));
