import { expect, it } from "vitest";
import { findExceeded } from "../../src/lib/web/network-limit.ts";
import { FakeClock, origin, Service } from "../support/service.ts";

/** A limit that admits so many requests of a key. */
function limitOf(most: number): RateLimit & { calls: number } {
  const counts = new Map<string, number>();
  const counter = {
    calls: 0,
    limit: async ({ key }: { key: string }) => {
      counter.calls += 1;
      const count = (counts.get(key) ?? 0) + 1;
      if (count <= most) counts.set(key, count);
      return { success: count <= most };
    },
  };
  return counter;
}

const addressIn = (site: string, network: number) => `${site}:${network.toString(16)}::1`;

it("a /48 gets eight times what a /64 gets, however many of its /64s send", async () => {
  const limit = limitOf(3);
  const admitted = async (addresses: readonly string[]) => {
    let count = 0;
    for (const address of addresses) count += (await findExceeded(limit, address)) === undefined ? 1 : 0;
    return count;
  };
  const all = Array.from({ length: 100 }, (_, i) => addressIn("2001:db8:1", i));
  expect(await admitted(Array.from({ length: 5 }, () => addressIn("2001:db8:1", 7)))).toBe(3);
  expect(await admitted(all)).toBe(3 * 8 - 3);
  expect(await findExceeded(limit, addressIn("2001:db8:1", 200))).toBe("2001:db8:1::/48");
  expect(await admitted([addressIn("2001:db8:2", 1)])).toBe(1);
  expect(await admitted(["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"])).toBe(3);
});

it("a request within the limits counts twice, one beyond them tries each of the /48's counts once", async () => {
  const limit = limitOf(100);
  await findExceeded(limit, "2001:db8:1::1");
  expect(limit.calls).toBe(2);
  const exhausted = limitOf(0);
  await findExceeded(
    {
      limit: async ({ key }) => ({
        success: key.endsWith("/64") || (await exhausted.limit({ key })).success,
      }),
    },
    "2001:db8:1::1",
  );
  expect(exhausted.calls).toBe(8);
});

interface Sent {
  readonly path: string;
  readonly init?: { readonly method: string; readonly body: URLSearchParams };
}

const form = (path: string, values: Record<string, string>): Sent => ({
  path,
  init: { method: "POST", body: new URLSearchParams(values) },
});

it.each([
  ["unknownHashLimit", (): Sent => ({ path: `/${crypto.randomUUID().slice(0, 8)}` }), 429],
  ["abuseReportLimit", () => form("/report", { reason: "spam", code: "x" }), 429],
  ["signInLimit", () => form("/operator/sign-in", { secret: "wrong" }), 429],
] as const)("%s holds for a /48", async (name, request, refused) => {
  const service = new Service({ [name]: limitOf(1), now: new FakeClock().now });
  const statuses: number[] = [];
  // The request after the one that exceeds an unknown hash's limit is the first to be refused.
  for (let i = 0; i < 10; i += 1) {
    const { path, init = {} } = request();
    const headers = { origin, "cf-connecting-ip": addressIn("2001:db8:3", i) };
    statuses.push((await service.fetch(path, { ...init, headers })).status);
  }
  expect(statuses[7]).not.toBe(refused);
  expect(statuses[9]).toBe(refused);
});
