import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { rebuiltScans } from "../../../../src/objects/ledger/analytics/rebuild.ts";
import { bounds } from "../../../../src/protocol/bounds.ts";
import {
  newLedger,
  record,
  reportOf,
  type Stub,
  scan,
  start,
  visitor,
} from "../../../support/scans/analytics.ts";
import {
  archived,
  archiveKeys,
  resize,
  rowsOf,
  runAlarms,
  scansFrom,
  withBucket,
} from "../../../support/scans/archives.ts";
import { packed } from "../../../support/scans/scans.ts";

const { newestOfCode } = bounds.rawScans;
const hour = 60 * 60 * 1000;
/** In the future, so that alarms fire only when a test runs them. */
const may = Date.UTC(2100, 4, 10);
const july = Date.UTC(2101, 6, 1);
const nextJuly = Date.UTC(2102, 6, 1);
const dates = { from: "2100-05-01", to: "2100-07-31" };

const exported = async (stub: Stub): Promise<string[]> => {
  const range = { from: 0, until: nextJuly, after: null };
  const page = { ...range, qrId: null, format: "ndjson", limit: 100_000, indexed: true } as const;
  return [...(await stub.exportPage(page)).ids];
};

const ids = (scans: readonly { readonly id: string }[]) =>
  scans.map(({ id }) => id.replaceAll("-", "")).sort();

describe("archiving", () => {
  it("a month's scans move to R2 once thirteen whole months have passed since", async () => {
    const stub = newLedger();
    const scans = scansFrom(may, newestOfCode + 100);
    await record(stub, ...scans);
    await runAlarms(stub, july - 1);
    expect(await archiveKeys(stub)).toEqual([]);
    const before = await reportOf(stub, { ...dates, dimensions: ["city", "browser"] });
    await runAlarms(stub, july);
    const keys = await archiveKeys(stub);
    expect(keys).toEqual([`archives/${stub.id}/2100-05/000001.ndjson.gz`]);
    expect(ids(await archived(stub))).toEqual(ids(scans.slice(0, 100)));
    expect(await exported(stub)).toEqual(ids(scans.slice(100)));
    expect(await reportOf(stub, { ...dates, dimensions: ["city", "browser"] })).toEqual(before);
    expect((await stub.listScans(scan().qrId, newestOfCode)).events).toHaveLength(newestOfCode);
    expect((await stub.storage()).archive).toMatchObject({ files: 1, scans: 100, failingSince: null });
  });

  it("scans that arrive late bring it forward, and no others do", async () => {
    const stub = newLedger();
    const alarm = async () => {
      // Totals are copied before.
      await runAlarms(stub, start + 48 * hour);
      return runInDurableObject(stub, (_, { storage }) => storage.getAlarm());
    };
    await record(stub, scan({ at: Date.UTC(2100, 6, 10) }));
    expect(await alarm()).toBe(Date.UTC(2101, 8, 1));
    await record(stub, scan({ at: Date.UTC(2100, 7, 10) }));
    expect(await alarm()).toBe(Date.UTC(2101, 8, 1));
    await record(stub, scan({ at: may }));
    expect(await alarm()).toBe(july);
    await record(stub, scan({ at: may - 40 * 24 * hour, userAgent: "Googlebot/2.1" }));
    expect(await alarm()).toBe(Date.UTC(2101, 4, 1));
  });

  it("a line has all that is exported and counted, of humans and of bots", async () => {
    const stub = newLedger();
    const first = scan({
      at: may,
      referrer: "example.com",
      country: "AT",
      city: null,
      via: "go.example/menu",
    });
    const bot = scan({ at: may + 1, userAgent: "Googlebot/2.1" });
    await record(stub, first, bot, ...scansFrom(may + hour, newestOfCode));
    await runAlarms(stub, july);
    expect(await archived(stub)).toEqual([
      {
        id: first.id,
        qrId: first.qrId,
        hash: first.hash,
        country: "AT",
        city: null,
        device: "mobile",
        os: "iOS",
        browser: "Safari",
        userAgent: first.userAgent,
        referrer: "example.com",
        via: "go.example/menu",
        visitor: first.visitor,
        first: true,
        bot: false,
      },
      {
        id: bot.id,
        qrId: bot.qrId,
        hash: bot.hash,
        country: null,
        city: null,
        device: "bot",
        os: null,
        browser: "Googlebot",
        userAgent: "Googlebot/2.1",
        referrer: null,
        visitor: null,
        first: false,
        bot: true,
        botRule: "isbot",
      },
    ]);
    expect(await rowsOf(stub, "bot_scans")).toBe(0);
  });

  it("each code keeps its newest scans, and every month has files of its own", async () => {
    const stub = newLedger();
    const quiet = scansFrom(may, 20, { qrId: "quiet" });
    const june = Date.UTC(2100, 5, 10);
    await record(stub, ...quiet, ...scansFrom(may, 30), ...scansFrom(june, 30));
    await record(stub, ...scansFrom(Date.UTC(2101, 5, 1), newestOfCode - 10));
    await runAlarms(stub, Date.UTC(2101, 7, 1));
    expect((await archiveKeys(stub)).map((key) => key.slice(-24))).toEqual([
      "2100-05/000001.ndjson.gz",
      "2100-06/000002.ndjson.gz",
    ]);
    expect(await archived(stub)).toHaveLength(50);
    expect((await stub.listScans("quiet", newestOfCode)).events).toHaveLength(20);
  });

  it("from 6 GB on the oldest scans move at once, but none of the last thirty days", async () => {
    const stub = newLedger();
    const scans = scansFrom(may, 100);
    await record(stub, ...scans, ...scansFrom(may + 20 * 24 * hour, 2 * newestOfCode));
    await runAlarms(stub, start + 48 * hour);
    await resize(stub, bounds.ledger.high);
    const now = may + 31 * 24 * hour;
    await runAlarms(stub, now);
    expect(await archived(stub)).toEqual([]);
    await record(stub, scan({ at: now }));
    await stub.changeReporting({}, now);
    await runAlarms(stub, now);
    expect(ids(await archived(stub))).toEqual(ids(scans));
    // The size is the same still: the next pass is a day later.
    await runAlarms(stub, now + 22 * 24 * hour);
    expect((await archived(stub)).length).toBeGreaterThan(scans.length + newestOfCode);
    await resize(stub, 1e9);
  });

  it("an object that dies after it has written a file writes it again, and nothing is lost or doubled", async () => {
    const stub = newLedger();
    const scans = scansFrom(may, newestOfCode + 50);
    await record(stub, ...scans);
    await runAlarms(stub, july - 1);
    const late = scan({ at: may, visitor: visitor(99) });
    await withBucket(stub, () => ({
      put: async (...args) => {
        await env.FILES.put(...args);
        throw new Error("died");
      },
    }));
    await runAlarms(stub, july);
    expect(await archived(stub)).toHaveLength(50);
    expect(await rowsOf(stub, "scans")).toBe(scans.length);
    expect((await stub.storage()).archive).toMatchObject({ files: 0, scans: 0 });
    await record(stub, late);
    await evictDurableObject(stub);
    expect(await runAlarms(stub, july + 2 * hour)).toBeGreaterThan(0);
    expect(await archiveKeys(stub)).toHaveLength(1);
    expect(ids([...(await archived(stub))])).toEqual(ids([late, ...scans.slice(0, 50)]));
    expect(await rowsOf(stub, "scans")).toBe(newestOfCode);
  });

  it("a scan that arrives while its file is being written stays, and goes with a later file", async () => {
    const stub = newLedger();
    await record(stub, ...scansFrom(may, newestOfCode + 50));
    await runAlarms(stub, july - 1);
    const late = scan({ at: may + 1 });
    let recorded = false;
    await withBucket(stub, (ledger) => ({
      put: async (...args) => {
        if (!recorded) await ledger.recordScans(packed(late), july);
        recorded = true;
        return env.FILES.put(...args);
      },
    }));
    await runAlarms(stub, july);
    expect(await archived(stub)).toHaveLength(50);
    expect(await exported(stub)).toContain(late.id.replaceAll("-", ""));
    expect((await reportOf(stub, dates)).totals.scans).toBe(newestOfCode + 51);
  });

  it("R2 failing is logged and shown, tried again after an hour, and loses nothing", async () => {
    const stub = newLedger();
    await record(stub, ...scansFrom(may, newestOfCode + 50));
    await runAlarms(stub, july - 1);
    let puts = 0;
    await withBucket(stub, () => ({
      put: () => {
        puts += 1;
        return Promise.reject(new Error("R2 is down"));
      },
    }));
    await runAlarms(stub, july + hour);
    expect(puts).toBe(2);
    expect((await stub.storage()).archive.failingSince).toBe(new Date(july).toISOString());
    expect(await rowsOf(stub, "scans")).toBe(newestOfCode + 50);
    await withBucket(stub, () => ({}));
    await runAlarms(stub, july + 3 * hour);
    expect((await stub.storage()).archive).toMatchObject({ scans: 50, failingSince: null });
  });
});

describe("a change of the time zone", () => {
  it("counts archived scans once, though reading fails, and counting in the middle of a file", async () => {
    const stub = newLedger();
    const bot = scan({ at: may + 1, prefetch: true });
    await record(stub, bot, ...scansFrom(may, newestOfCode + 5000));
    await runAlarms(stub, july);
    expect(await archiveKeys(stub)).toHaveLength(1);
    let reads = 0;
    await withBucket(stub, () => ({
      get: async (key) => {
        reads += 1;
        if (reads === 1) throw new Error("R2 is down");
        return env.FILES.get(key);
      },
    }));
    // The second chunk of the file fails, after it has been counted.
    await runInDurableObject(stub, (_, { storage: { sql } }) => {
      const { exec } = sql;
      let chunks = 0;
      sql.exec = ((...args: Parameters<typeof exec>) => {
        if (args[0].startsWith("UPDATE generations SET archive")) chunks += 1;
        if (chunks !== 2) return exec.apply(sql, args);
        sql.exec = exec;
        throw new Error("the chunk fails");
      }) as typeof exec;
    });
    await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, july);
    await runAlarms(stub, july + hour);
    const { rebuilding } = await stub.reportingStatus();
    expect(rebuilding?.progress).toBeCloseTo(rebuiltScans / (newestOfCode + 5000), 2);
    // A scan that arrives now is counted once, too.
    await record(stub, scan({ at: may + 2, visitor: visitor(99) }));
    await runAlarms(stub, july + 3 * hour);
    expect(reads).toBe(3);
    const { timeZone, totals, series } = await reportOf(stub, dates);
    expect(timeZone).toBe("Asia/Kathmandu");
    expect(totals).toMatchObject({ scans: newestOfCode + 5001, newVisitors: 51, botScans: 1 });
    // Midnight of the second day is 18:15 UTC.
    expect(series.find(({ start }) => start.startsWith("2100-05-10"))?.scans).toBe(18 * 60 + 15 + 1);
  });
});
