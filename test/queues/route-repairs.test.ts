import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { Qr } from "../../src/contract/resources/codes/qr.ts";
import type { Deps } from "../../src/domain/deps.ts";
import type { RouteRepair } from "../../src/protocol/messages.ts";
import type { Region } from "../../src/protocol/regions.ts";
import { regions } from "../../src/protocol/regions.ts";
import { type Client, FakeClock, Service } from "../support/service.ts";

/** A repair writes the route cache again, and the feeds only if they may not list what it writes. */

const clock = new FakeClock();
/** The repairs that wait. */
let repairs: RouteRepair[] = [];
/** The regions whose feeds were published to, in order. */
let published: Region[] = [];
let refusing: Region | undefined;
let client: Client;
let qr: Qr;

const feed: Deps["feed"] = (region) =>
  ({
    publish: async () => {
      published.push(region);
      if (region === refusing) throw new Error("feed is unavailable");
    },
  }) as unknown as ReturnType<Deps["feed"]>;
const routeRepairQueue = {
  send: async (repair: RouteRepair) => void repairs.push(repair),
} as unknown as Queue<RouteRepair>;
const isolate = (clockError = 0) =>
  new Service({ now: () => clock.now() + clockError, feed, routeRepairQueue });
const service = isolate();

beforeAll(async () => {
  client = await service.workspace();
});
beforeEach(async () => {
  refusing = undefined;
  qr = await client.createQr();
  repairs = [];
});

const url = "https://example.com/new";
const change = (of: Client = client) => of.send("PATCH", `/qr/${qr.id}`, { data: { type: "url", url } });

/** Consumes what waits. @returns the feeds that were published to */
async function repair(): Promise<Region[]> {
  published = [];
  await env.ROUTES.delete(qr.hash);
  await service.consume(
    "route-repairs",
    repairs.map((body) => ({ body })),
  );
  expect(await env.ROUTES.get(qr.hash, "json")).toMatchObject({ destination: url });
  return published;
}
const isPending = async () =>
  (await env.DB.prepare("SELECT 1 FROM pending_publications WHERE key = ?").bind(qr.hash).first()) !== null;

it.each([15, 480])("only writes the route cache %i s after every feed took the change", async (seconds) => {
  await change();
  expect(await isPending()).toBe(true);
  clock.advance(seconds * 1000);
  expect(await repair()).toEqual([]);
  expect(await isPending()).toBe(false);
});

it("publishes to the feeds again shortly before they drop the change", async () => {
  await change();
  clock.advance(480_001);
  expect(await repair()).toEqual(regions);
});

it("publishes to all feeds what one of them refused, until it takes it", async () => {
  refusing = "apac";
  await change();
  expect(await repair()).toEqual(regions);
  expect(await isPending()).toBe(true);
  refusing = undefined;
  expect(await repair()).toEqual(regions);
  expect(await isPending()).toBe(false);
});

it("publishes to the feeds a newer version, whose own request may have died", async () => {
  await change();
  await env.DB.prepare("UPDATE qr_codes SET status = 'paused', version = version + 1 WHERE id = ?")
    .bind(qr.id)
    .run();
  expect(await repair()).toEqual(regions);
  expect(await isPending()).toBe(false);
});

it("publishes to the feeds a change that the publisher's clock dates to the future", async () => {
  await change(await isolate(60_000).client(client.workspaceId));
  clock.advance(15_000);
  expect(await repair()).toEqual(regions);
});

it("publishes to the feeds what 1.1.0 queued, which didn't say whether they have it", async () => {
  await change();
  repairs = [{ key: qr.hash }];
  expect(await repair()).toEqual(regions);
});

it("leaves out the feeds if they have what one of a key's repairs says", async () => {
  await change();
  repairs = [{ key: qr.hash }, ...repairs, { key: qr.hash, inFeeds: { version: 1, at: clock.now() } }];
  expect(await repair()).toEqual([]);
});
