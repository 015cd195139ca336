import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { folding } from "../../../../src/objects/ledger/analytics/rollups.ts";
import { searchChunk } from "../../../../src/objects/ledger/maintenance/unused-entries.ts";
import { bounds } from "../../../../src/protocol/bounds.ts";
import { newLedger, reportOf, type Stub, scan, visitor } from "../../../support/scans/analytics.ts";
import { archived, resize, rowsOf, runAlarms, scansFrom } from "../../../support/scans/archives.ts";
import { packed } from "../../../support/scans/scans.ts";
import { phone } from "../../../support/service.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** In the future, so that alarms fire only when a test runs them. */
const may = Date.UTC(2100, 4, 10);
const dates = { from: "2100-05-01", to: "2100-07-31" };
const erase = (stub: Stub, qrId: string, sums: "keep" | "erase", now: number) =>
  stub.eraseScans({ qrId, hash: "00000000", sums }, now);

/** The values of the dictionary. */
const entries = (stub: Stub) =>
  runInDurableObject(stub, (_, { storage: { sql } }) => {
    const values = (column: string, table: string) =>
      sql
        .exec<{ value: string }>(`SELECT ${column} AS value FROM ${table} ORDER BY 1`)
        .toArray()
        .map(({ value }) => value);
    return {
      userAgents: values("user_agent", "agents"),
      cities: values("city", "places"),
      referrers: values("host", "referrers"),
      vias: values("address", "vias"),
    };
  });

const own = (name: string) => ({
  qrId: name,
  userAgent: `${phone} ${name}`,
  city: name,
  referrer: `${name}.example`,
  via: `go.example/${name}`,
});
const valuesOf = (...names: string[]) => ({
  userAgents: names.map((name) => `${phone} ${name}`),
  cities: names,
  referrers: names.map((name) => `${name}.example`),
  vias: names.map((name) => `go.example/${name}`),
});

describe("user agents, cities, referrers and addresses that nothing refers to any more", () => {
  it.each(["erase", "keep"] as const)("go with an erasure (%s), whatever arrives late", async (sums) => {
    const stub = newLedger();
    const [gone, stays] = [scansFrom(may, 30, own("gone")), scansFrom(may, 30, own("stays"))];
    const bot = scan({ at: may, qrId: "gone", userAgent: "Googlebot/2.1 gone" });
    await stub.recordScans(packed(...gone, ...stays, bot), may + day);
    await erase(stub, "gone", sums, may + day);
    const late = scan({ at: may + hour, ...own("late"), qrId: "gone" });
    await stub.recordScans(packed(late, ...gone), may + day);
    const before = await reportOf(stub, { ...dates, dimensions: ["city", "referrer"] });
    await runAlarms(stub, may + 2 * day);
    const left = await entries(stub);
    if (sums === "erase") {
      expect(left).toEqual(valuesOf("stays"));
    } else {
      // Reports name the places and referrers.
      expect(left).toEqual({
        ...valuesOf("gone", "late", "stays"),
        userAgents: expect.any(Array),
        vias: ["go.example/stays"],
      });
      expect(left.userAgents.filter((text) => !text.startsWith("(other"))).toEqual([`${phone} stays`]);
    }
    expect(await reportOf(stub, { ...dates, dimensions: ["city", "referrer"] })).toEqual(before);
    const { events } = await stub.listScans("stays", 500);
    expect(events).toHaveLength(30);
    expect(events[0]).toMatchObject({ city: "stays", userAgent: `${phone} stays` });
  });

  it("go with the scans that are not kept, as far as no report names them", async () => {
    const stub = newLedger();
    await stub.recordScans(packed(...scansFrom(may, 30, own("old"))), may);
    await stub.recordScans(packed(...scansFrom(may + 20 * day, 30, own("young"))), may + 20 * day);
    await stub.changeReporting({ keepScansDays: 30 }, may + 20 * day);
    const before = await reportOf(stub, { ...dates, dimensions: ["city", "referrer"] });
    await runAlarms(stub, may + 31 * day);
    expect(await rowsOf(stub, "scans")).toBe(30);
    expect(await entries(stub)).toEqual({
      ...valuesOf("old", "young"),
      userAgents: [`${phone} young`],
      vias: ["go.example/young"],
    });
    expect(await reportOf(stub, { ...dates, dimensions: ["city", "referrer"] })).toEqual(before);
    // Nothing is searched again until rows are removed again.
    expect(await runAlarms(stub, may + 49 * day)).toBe(0);
  });

  it("go with the scans that are archived, and reports can be counted from the files all the same", async () => {
    const stub = newLedger();
    await stub.recordScans(packed(...scansFrom(may, 600, own("old"))), may);
    const newest = scansFrom(may + day, bounds.rawScans.newestOfCode, {
      ...own("old"),
      userAgent: phone,
      via: "go.example",
    });
    await stub.recordScans(packed(...newest), may + day);
    await resize(stub, bounds.ledger.high);
    await stub.changeReporting({}, may + 40 * day);
    await runAlarms(stub, may + 41 * day);
    await resize(stub, 1e6);
    expect(await archived(stub)).toHaveLength(600);
    expect(await entries(stub)).toEqual({ ...valuesOf("old"), userAgents: [phone], vias: ["go.example"] });
    await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, may + 42 * day);
    await runAlarms(stub, may + 43 * day);
    const { timeZone, dimensions } = await reportOf(stub, { ...dates, dimensions: ["city"] });
    expect([timeZone, dimensions.city?.items]).toEqual([
      "Asia/Kathmandu",
      [{ value: "old", country: "DE", scans: 600 + bounds.rawScans.newestOfCode }],
    ]);
  });

  it("make room for new ones", async () => {
    const stub = newLedger();
    const { total } = bounds.entries.agents;
    await stub.countScans();
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO agents (user_agent, client, bot) SELECT 'agent ' || i, 1, 0 FROM n`,
        total,
      );
    });
    const first = scan({ at: may, ...own("first"), userAgent: phone });
    await stub.recordScans(packed(first), may);
    expect((await stub.listScans("first", 1)).events[0]?.userAgent).toBe("(other mobile, iOS, Safari)");
    await erase(stub, "nothing", "erase", may);
    const runs = await runAlarms(stub, may + day);
    expect(runs).toBeGreaterThanOrEqual(total / searchChunk.entries);
    expect((await entries(stub)).userAgents).toEqual(["(other mobile, iOS, Safari)"]);
    // On the same day, without a word from midnight.
    await stub.recordScans(packed(scan({ at: may + 1, ...own("second") })), may + 1);
    expect((await stub.listScans("second", 1)).events[0]?.userAgent).toBe(`${phone} second`);
    expect((await stub.listScans("first", 1)).events[0]?.userAgent).toBe("(other mobile, iOS, Safari)");
  });

  it("are found in bounded steps, by an object that is evicted after each, while scans arrive", async () => {
    const stub = newLedger();
    const names = ["first", "late", "folded", "unused"];
    const of = (name: string, at: number) =>
      scan({ at, ...own(name), qrId: "busy", visitor: visitor(at % 50) });
    await stub.recordScans(packed(...names.map((name, i) => of(name, may + i))), may);
    const chunks = 3;
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO scans (id, code, agent, place, visitor, referrer)
         SELECT unhex(printf('%012x7000800000%010x', ? + i, i)), 1, 1, 1, unhex(printf('%016x', i % 100)), 1 FROM n`,
        chunks * searchChunk.scans,
        may + hour,
      );
      storage.sql.exec("DELETE FROM scans WHERE agent > 1");
    });
    await evictDurableObject(stub);
    await erase(stub, "nothing", "keep", may + day);
    const steps: string[] = [];
    const cursor = () =>
      runInDurableObject(
        stub,
        (_, { storage }) => storage.kv.get<{ cursor: string }>("unused_entries_search")?.cursor,
      );
    for (let i = 0; (await entries(stub)).cities.includes("unused"); i += 1) {
      expect(i).toBeLessThan(40);
      await runDurableObjectAlarm(stub);
      const at = await cursor();
      if (at !== undefined) steps.push(at);
      // Behind the cursor, and folded at once.
      if (steps.length === 2) {
        await stub.recordScans(packed(of("late", may + 10)), may + day);
        await resize(stub, bounds.ledger.full);
        await stub.recordScans(packed(of("folded", may + 2 * hour)), may + day);
        await resize(stub, 1e6);
      }
      await evictDurableObject(stub);
    }
    expect(new Set(steps).size).toBeGreaterThanOrEqual(chunks);
    expect(folding.chunk).toBeGreaterThanOrEqual(searchChunk.scans);
    await runAlarms(stub, may + 2 * day);
    const left = await entries(stub);
    expect(left.cities).toEqual(["first", "folded", "late"]);
    expect(left.referrers).toEqual(["first.example", "folded.example", "late.example"]);
    // Only rows name addresses, so that of a scan that was only counted is not stored.
    expect(left.vias).toEqual(["go.example/first", "go.example/late"]);
    expect(left.userAgents).toEqual(expect.arrayContaining([`${phone} first`, `${phone} late`]));
    expect(left.userAgents).not.toContain(`${phone} unused`);
    const { events } = await stub.listScans("busy", 500, {
      after: null,
      from: may,
      until: may + 1000,
      country: null,
      device: null,
      os: null,
      browser: null,
    });
    expect(events).toMatchObject([
      { city: "late", userAgent: `${phone} late`, via: "go.example/late" },
      { city: "first" },
    ]);
  });

  it.each([
    ["began", (search: object) => ({ ...search, viasCursor: undefined })],
    ["continued", (search: object) => ({ ...search, viasCursor: "0".repeat(32) })],
  ])("don't include addresses if a version that doesn't know them %s the search", async (_, alter) => {
    const stub = newLedger();
    await stub.recordScans(packed(...scansFrom(may, 3, own("stays"))), may);
    await erase(stub, "nothing", "keep", may + day);
    await runInDurableObject(stub, (_ledger, { storage }) => {
      // All raw scans have been read.
      const read = { cursor: "f".repeat(32), viasCursor: "f".repeat(32), generation: 0, day: 0 };
      const none = new Set<number>();
      const unused = { agents: none, places: none, referrers: none, vias: new Set([1]) };
      storage.kv.put("unused_entries_search", alter({ ...read, unused }));
    });
    await evictDurableObject(stub);
    await runAlarms(stub, may + 2 * day);
    expect((await entries(stub)).vias).toEqual(["go.example/stays"]);
  });
});
