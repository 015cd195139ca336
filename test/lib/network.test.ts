import { expect, it } from "vitest";
import { networksOf } from "../../src/lib/web/network.ts";

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::6", "2001:db8:0:0::/64"],
  ["2001:db8:1::4:5:6", "2001:db8:1:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::ffff:c000:207", "192.0.2.7"],
  ["::FFFF:C000:0207", "192.0.2.7"],
  ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
  ["0:0:0:0:0:ffff:c000:207", "192.0.2.7"],
  ["::ffff:255.255.255.255", "255.255.255.255"],
  ["::ffff:0.0.0.0", "0.0.0.0"],
  ["::ffff:0:c000:207", "0:0:0:0::/64"],
  ["::192.0.2.7", "0:0:0:0::/64"],
  ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
  ["2001:db8:1:2::192.0.2.7", "2001:db8:1:2::/64"],
  ["fe80::1", "fe80:0:0:0::/64"],
  ["", ""],
])("%s is rate limited as %s", (address, network) => {
  const [{ network: narrowest }, site] = networksOf(address);
  expect(narrowest).toBe(network);
  const [a, b, c] = network.split(":");
  expect(site).toEqual(network.includes("/") ? { network: `${a}:${b}:${c}::/48`, times: 8 } : undefined);
});
