/** Returns the client's address as Cloudflare reports it; empty if it is missing, as in some local tools. */
export const clientAddressOf = (request: Request): string => request.headers.get("cf-connecting-ip") ?? "";

/** A network whose requests are limited, and how many times the limit it may use. */
export interface LimitedNetwork {
  readonly network: string;
  readonly times: number;
}

/** How many times the limit of a /64 a whole /48 may use: who has one could otherwise use 65,536 of its /64s. */
const timesOfSite = 8;

/**
 * Returns the networks by which an address is limited, the narrowest first: an IPv4 address itself; the /64 of an IPv6
 * address, because one client usually has a whole /64, and its /48, because some have that. The platform passes valid
 * addresses, so no parser package is needed.
 */
export function networksOf(address: string): readonly [LimitedNetwork, ...LimitedNetwork[]] {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !address.includes(":")) return [{ network: ipv4 ?? address, times: 1 }];
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
  return [
    { network: `${groups.slice(0, 4).join(":")}::/64`, times: 1 },
    { network: `${groups.slice(0, 3).join(":")}::/48`, times: timesOfSite },
  ];
}
