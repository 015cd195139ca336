/** The client's address as the edge reports it; empty where there is none, as in some local tools. */
export const clientAddressOf = (request: Request): string => request.headers.get("cf-connecting-ip") ?? "";

/**
 * The network that an address is counted by. A client with one IPv6 address usually has all 2^64 that share its first
 * half, so that half stands for all of them.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
