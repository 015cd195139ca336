/** The networks from which Cloudflare serves proxied hosts, as published at https://www.cloudflare.com/ips/. */
const networks = [
  "173.245.48.0/20",
  "103.21.244.0/22",
  "103.22.200.0/22",
  "103.31.4.0/22",
  "141.101.64.0/18",
  "108.162.192.0/18",
  "190.93.240.0/20",
  "188.114.96.0/20",
  "197.234.240.0/22",
  "198.41.128.0/17",
  "162.158.0.0/15",
  "104.16.0.0/13",
  "104.24.0.0/14",
  "172.64.0.0/13",
  "131.0.72.0/22",
  "2400:cb00::/32",
  "2606:4700::/32",
  "2803:f800::/32",
  "2405:b500::/32",
  "2405:8100::/32",
  "2a06:98c0::/29",
  "2c0f:f248::/32",
].map((network) => {
  const [address = "", bits = ""] = network.split("/");
  return { isV6: address.includes(":"), start: firstBits(address), bits: Number(bits) };
});

/** Returns the first 32 bits of an address, which are all that the networks differ in. */
function firstBits(address: string): number {
  if (!address.includes(":")) {
    return address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  }
  const [high = "", low = ""] = address.split(":");
  return (Number.parseInt(high, 16) || 0) * 65_536 + (Number.parseInt(low, 16) || 0);
}

/** Returns whether an address is one of Cloudflare's, as those of proxied hosts are. */
export function isCloudflareAddress(address: string): boolean {
  const isV6 = address.includes(":");
  const value = firstBits(address);
  return networks.some(({ start, bits, ...network }) => {
    const size = 2 ** (32 - bits);
    return network.isV6 === isV6 && Math.floor(value / size) === Math.floor(start / size);
  });
}
