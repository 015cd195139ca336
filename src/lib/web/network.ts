/** The client's address, as the edge tells it; empty where nobody does. */
export const addressOf = (request: Request): string => request.headers.get("cf-connecting-ip") ?? "";

/**
 * What an address is counted by. Whoever has one IPv6 address has the 2^64 that share its first half, so that half
 * stands for them.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
