/** Returns the client's address as Cloudflare reports it; empty if it is missing, as in some local tools. */
export const clientAddressOf = (request: Request): string => request.headers.get("cf-connecting-ip") ?? "";

/**
 * Returns the network by which an address is rate limited: an IPv4 address itself, or the /64 of an IPv6 address,
 * because one client usually has a whole /64. The platform passes valid addresses, so no parser package is needed.
 */
export function networkOf(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined) return ipv4;
  if (!address.includes(":")) return address;
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
