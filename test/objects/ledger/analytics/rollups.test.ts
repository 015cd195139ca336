import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { rebuiltScans } from "../../../../src/objects/ledger/analytics/rebuild.ts";
import { folding } from "../../../../src/objects/ledger/analytics/rollups.ts";
import {
  dates,
  fold,
  hasAlarm,
  hour,
  many,
  newLedger,
  record,
  reportOf,
  type Stub,
  scan,
  start,
  visitor,
} from "../../../support/scans/analytics.ts";
import { packed } from "../../../support/scans/scans.ts";

const rollups = (stub: Stub) =>
  runInDurableObject(
    stub,
    (_, { storage }) => storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM rollups").one().n,
  );

describe("rollups", () => {
  it("few scans are not folded, and reported from their rows", async () => {
    const stub = newLedger();
    await record(stub, ...many(10));
    expect(await hasAlarm(stub)).toBe(false);
    const { totals, allTime } = await reportOf(stub, dates);
    expect(totals).toEqual({
      scans: 10,
      newVisitors: 10,
      visitors: { count: 10, exact: true, error: null },
      botScans: 0,
    });
    expect(allTime).toEqual({ scans: 10, visitors: null });
    expect(await rollups(stub)).toBe(0);
  });

  it("a report is the same before, while and after scans are folded", async () => {
    const stub = newLedger();
    const scans = many(folding.chunk + 1000);
    const bots = [scan({ at: start + hour, userAgent: "Googlebot/2.1" }), scan({ prefetch: true })];
    await record(stub, ...scans, ...bots);
    const request = {
      ...dates,
      dimensions: ["country", "city", "device", "os", "browser", "referrer", "hourOfWeek", "code"],
    } as const;
    const before = await reportOf(stub, request);
    expect(before.totals).toMatchObject({ scans: scans.length, newVisitors: 50, botScans: 2 });
    let folds = 0;
    for (; await hasAlarm(stub); folds += 1) {
      await runDurableObjectAlarm(stub);
      expect(await reportOf(stub, request)).toEqual(before);
      await evictDurableObject(stub);
    }
    expect(folds).toBe(Math.ceil(scans.length / folding.chunk));
    // Eight days of the code and of the workspace.
    expect(await rollups(stub)).toBe(16);
  });

  it("a scan that arrives behind the cursor is counted at once", async () => {
    const stub = newLedger();
    await record(stub, ...many(folding.tail + 1));
    await fold(stub);
    const late = [scan({ at: start - hour, visitor: visitor(99) }), scan({ at: start, prefetch: true })];
    await record(stub, ...late);
    await record(stub, ...late);
    const { totals, series } = await reportOf(stub, { ...dates, to: "2100-01-10" });
    expect(totals).toMatchObject({ scans: 1 + 24 * 60, newVisitors: 51, botScans: 1 });
    expect(series.at(-2)).toMatchObject({ scans: 1, newVisitors: 1, botScans: 0 });
  });

  it("scans are folded every ten minutes at most, unless very many wait", async () => {
    const stub = newLedger();
    await record(stub, ...many(folding.tail + 1));
    await fold(stub);
    await record(stub, ...many(folding.tail + 1, 5000));
    const alarm = await runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    expect(alarm).toBe(start + folding.interval);
    await record(stub, ...many(folding.maxTail, 10_000));
    expect(await runInDurableObject(stub, (_, { storage }) => storage.getAlarm())).toBe(start);
  });

  it("nothing is folded by a call that is rolled back", async () => {
    const stub = newLedger();
    await record(stub, ...many(folding.tail + 1));
    await fold(stub);
    const before = await reportOf(stub, dates);
    const late = scan({ at: start - hour });
    const bad = scan({ visitor: null as unknown as string });
    await runInDurableObject(stub, async (instance) => {
      await expect(instance.recordScans(packed(late, bad), start)).rejects.toThrow();
    });
    expect(await reportOf(stub, dates)).toEqual(before);
    await record(stub, late);
    expect((await reportOf(stub, dates)).totals.scans).toBe(before.totals.scans + 1);
  });

  it("nothing is folded by an alarm that is rolled back", async () => {
    const stub = newLedger();
    await record(stub, ...many(folding.tail + 1));
    const before = await reportOf(stub, dates);
    await runInDurableObject(stub, async (ledger, { storage: { sql } }) => {
      const { exec } = sql;
      let hasFolded = false;
      sql.exec = ((...args: Parameters<typeof exec>) => {
        hasFolded ||= args[0].startsWith("UPDATE generations SET cursor");
        if (!hasFolded || !args[0].includes("FROM webhooks")) return exec.apply(sql, args);
        sql.exec = exec;
        throw new Error("the alarm fails");
      }) as typeof exec;
      await expect(ledger.alarm()).rejects.toThrow("the alarm fails");
    });
    expect(await rollups(stub)).toBe(0);
    expect(await reportOf(stub, dates)).toEqual(before);
    await fold(stub);
    expect(await rollups(stub)).toBeGreaterThan(0);
    expect(await reportOf(stub, dates)).toEqual(before);
  });
});

describe("a time zone", () => {
  const inZone = async (stub: Stub, timeZone: string) => {
    await stub.changeReporting({ timeZone }, start);
    await fold(stub);
  };

  it("days begin at its midnight, and a series by hour follows its clocks", async () => {
    const stub = newLedger();
    // Berlin's clocks go back on 2026-10-25 at 01:00 UTC, and forth on 2026-03-29 at 01:00 UTC.
    const times = ["2026-10-24T22:00Z", "2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-25T22:59Z"];
    await record(stub, ...times.map((time, i) => scan({ at: Date.parse(time), visitor: visitor(i) })));
    await inZone(stub, "Europe/Berlin");
    const request = { from: "2026-10-24", to: "2026-10-26" };
    const report = await reportOf(stub, { ...request, dimensions: ["hourOfWeek"] });
    expect(report.timeZone).toBe("Europe/Berlin");
    expect(report.series.map(({ start: at, scans }) => [at, scans])).toEqual([
      ["2026-10-24T00:00:00+02:00", 0],
      ["2026-10-25T00:00:00+02:00", 4],
      ["2026-10-26T00:00:00+01:00", 0],
    ]);
    const { series } = await reportOf(stub, { ...request, interval: "hour" });
    expect(series).toHaveLength(24 + 25 + 24);
    expect(series.filter(({ scans }) => scans > 0).map(({ start: at, scans }) => [at, scans])).toEqual([
      ["2026-10-25T00:00:00+02:00", 1],
      ["2026-10-25T02:00:00+02:00", 1],
      ["2026-10-25T02:00:00+01:00", 1],
      ["2026-10-25T23:00:00+01:00", 1],
    ]);
    const sunday = 6 * 24;
    const hours = report.dimensions.hourOfWeek?.items.filter(({ scans }) => scans > 0);
    expect(hours).toEqual([
      { value: String(sunday), scans: 1 },
      { value: String(sunday + 2), scans: 2 },
      { value: String(sunday + 23), scans: 1 },
    ]);
    const spring = await reportOf(stub, { from: "2026-03-29", to: "2026-03-29", interval: "hour" });
    expect(spring.series).toHaveLength(23);
  });

  it("skips a day that its calendar skips", async () => {
    const stub = newLedger();
    await inZone(stub, "Pacific/Apia");
    const { series } = await reportOf(stub, { from: "2011-12-29", to: "2011-12-31" });
    expect(series.map(({ start: at }) => at)).toEqual([
      "2011-12-29T00:00:00-10:00",
      "2011-12-31T00:00:00+14:00",
    ]);
  });

  it("a change of it rebuilds the rollups in the background, chunk by chunk, and says so", async () => {
    const stub = newLedger();
    await record(stub, ...many(6000));
    await fold(stub);
    const before = await reportOf(stub, dates);
    const changed = await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, start);
    expect(changed).toMatchObject({
      timeZone: "UTC",
      rebuilding: { timeZone: "Asia/Kathmandu", progress: 0 },
    });
    await runDurableObjectAlarm(stub);
    const midway = await reportOf(stub, dates);
    expect(midway.rebuilding?.progress).toBeCloseTo(1 / 3, 2);
    expect({ ...midway, rebuilding: null }).toEqual(before);
    await evictDurableObject(stub);
    // One behind the cursor of both, one behind that of the active one alone.
    await record(stub, scan({ at: start - 1 }), scan({ at: start + 5500 * 60_000 + 1 }));
    await fold(stub);
    const after = await reportOf(stub, dates);
    expect(after).toMatchObject({ timeZone: "Asia/Kathmandu", rebuilding: null });
    expect(after.totals.scans).toBe(6002);
    expect(after.series[9]).toMatchObject({ start: "2100-01-10T00:00:00+05:45", scans: 1 + 1095 });
    expect((await stub.reportingStatus()).timeZone).toBe("Asia/Kathmandu");
    const generations = await runInDurableObject(stub, (_, { storage }) =>
      storage.sql.exec("SELECT DISTINCT generation FROM rollups").toArray(),
    );
    expect(generations).toHaveLength(1);
  });

  it("a change back while it rebuilds gives up what was built", async () => {
    const stub = newLedger();
    await record(stub, ...many(rebuiltScans + 1));
    await fold(stub);
    const before = await reportOf(stub, dates);
    await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, start);
    await runDurableObjectAlarm(stub);
    expect(await rollups(stub)).toBeGreaterThan(4);
    await stub.changeReporting({ timeZone: "UTC" }, start);
    await fold(stub);
    expect(await reportOf(stub, dates)).toEqual(before);
    // Two days of the code and of the workspace.
    expect(await rollups(stub)).toBe(4);
  });
});
