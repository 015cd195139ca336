import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { Analytics } from "../../src/contract/resources/scans/analytics.ts";
import { ScanListResponse } from "../../src/contract/resources/scans/scans.ts";
import { promptQueue } from "../support/scans/prompt-queue.ts";
import { type Client, Service } from "../support/service.ts";

/** Records scans at once. */
const service = new Service({ scanQueue: promptQueue });
let client: Client;

beforeEach(async () => {
  client = await service.workspace();
});

/** Scans a new code from these addresses with one agent. @returns how many visitors that makes */
async function visitorsAt(...addresses: string[]): Promise<number> {
  const { id, hash } = await client.createQr();
  for (const address of addresses) await service.scan(hash, { "cf-connecting-ip": address });
  const { stats } = await client.expect(200, ScanListResponse, "GET", `/qr/${id}/scans`);
  expect(stats.total).toBe(addresses.length);
  return stats.uniqueVisitors;
}

it.each([
  ["two addresses of a /64", 1, ["2001:db8:1:2::1", "2001:db8:1:2:aaaa:bbbb:cccc:9"]],
  ["one address, written in two ways", 1, ["2001:db8:1:2:0:0:0:1", "2001:0DB8:0001:0002::1"]],
  ["three addresses of a /64", 1, ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::"]],
  ["two /64 of a /48", 2, ["2001:db8:1:2::1", "2001:db8:1:3::1"]],
  ["two /48", 2, ["2001:db8:1:2::1", "2001:db8:2:2::1"]],
  ["an IPv4 address twice", 1, ["203.0.113.5", "203.0.113.5"]],
  ["neighbours of IPv4", 2, ["203.0.113.5", "203.0.113.6"]],
  ["an IPv4 address, mapped and not", 1, ["203.0.113.5", "::ffff:203.0.113.5", "::FFFF:cb00:7105"]],
  ["two mapped IPv4 addresses", 2, ["::ffff:203.0.113.5", "::ffff:203.0.113.6"]],
  ["IPv4 and IPv6", 2, ["203.0.113.5", "2001:db8:cb00:7105::"]],
])("%s: %i visitors", async (_, count, addresses) => {
  expect(await visitorsAt(...addresses)).toBe(count);
});

it("reports mark the day on which visitors began to be told apart by network, where visitors were counted before", async () => {
  const { id, hash } = await client.createQr();
  await service.scan(hash);
  const stub = env.LEDGERS.get(env.LEDGERS.idFromName(client.workspaceId));
  const changedOn = async (path: string) =>
    (await client.expect(200, Analytics, "GET", path)).incomplete.visitorsChangedOn;
  expect(await changedOn(`/qr/${id}/analytics`)).toBeNull();
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec("INSERT INTO visitor_changes (at) VALUES (?)", Date.UTC(2026, 9, 20, 23, 30));
  });
  await evictDurableObject(stub);
  expect(await changedOn("/analytics?from=2026-10-01&to=2026-10-31")).toBe("2026-10-20");
  expect(await changedOn(`/qr/${id}/analytics?from=2026-10-20&to=2026-10-20&interval=hour`)).toBe(
    "2026-10-20",
  );
  expect(await changedOn("/analytics?from=2026-10-21&to=2026-10-31")).toBeNull();
  expect(await changedOn("/analytics?from=2026-10-01&to=2026-10-19")).toBeNull();
  await stub.changeReporting({ timeZone: "Europe/Berlin" }, Date.now());
});
