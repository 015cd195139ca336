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
 * Returns the networks by which an address is limited, the narrowest first: an IPv4 address itself, also one mapped to IPv6;
 * the /64 of an IPv6 address, because one client usually has a whole /64, and its /48, because some have that. The
 * platform passes valid addresses, so no parser package is needed.
 */
export function networksOf(address: string): readonly [LimitedNetwork, ...LimitedNetwork[]] {
  if (!address.includes(":")) return [{ network: address, times: 1 }];
  const [left = [], right = []] = address.split("::").map(groupsOf);
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => 0);
  const groups = [...left, ...zeros, ...right];
  if (isMapped(groups)) {
    const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]);
    return [{ network: bytes.join("."), times: 1 }];
  }
  const prefix = (length: number) => groups.slice(0, length).map((group) => group.toString(16));
  return [
    { network: `${prefix(4).join(":")}::/64`, times: 1 },
    { network: `${prefix(3).join(":")}::/48`, times: timesOfSite },
  ];
}

/** Returns the network that identifies a visitor: addresses within an IPv6 network change by the hour. */
export const visitorNetworkOf = (address: string): string => networksOf(address)[0].network;

/** Reads groups of an IPv6 address. The last two may be written as an IPv4 address. */
const groupsOf = (text: string): number[] =>
  text
    .split(":")
    .filter(Boolean)
    .flatMap((group) => {
      if (!group.includes(".")) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
      return [(a << 8) | b, (c << 8) | d];
    });

/** Returns whether an IPv6 address stands for an IPv4 address: `::ffff:0:0/96`. */
const isMapped = (groups: readonly number[]): boolean =>
  groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
