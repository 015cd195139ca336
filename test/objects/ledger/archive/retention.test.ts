import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { ReportingSettingsInput } from "../../../../src/contract/resources/scans/analytics.ts";
import { copiedRows } from "../../../../src/objects/ledger/analytics/rebuild.ts";
import { bounds } from "../../../../src/protocol/bounds.ts";
import { newLedger, record, reportOf, type Stub, scan, visitor } from "../../../support/scans/analytics.ts";
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

const hour = 60 * 60 * 1000;
const day = 24 * hour;
/** In the future, so that alarms fire only when a test runs them. */
const may = Date.UTC(2100, 4, 10);
const dates = { from: "2100-05-01", to: "2100-07-31" };
const dimensions = ["city", "browser", "hourOfWeek", "code"] as const;

const keep = (stub: Stub, keepScansDays: 30 | 90 | 365 | null, now: number) =>
  stub.changeReporting({ keepScansDays }, now);

describe("retention", () => {
  it("deletes raw scans at the midnight after their last day, bots' too; sums stay", async () => {
    const stub = newLedger();
    const bot = scan({ at: may, userAgent: "Googlebot/2.1" });
    await record(stub, ...scansFrom(may, 100), bot, ...scansFrom(may + day, 10));
    await keep(stub, 30, may);
    const before = await reportOf(stub, { ...dates, dimensions });
    expect(before.totals).toMatchObject({ scans: 110, botScans: 1 });
    await runAlarms(stub, may + 31 * day - 1);
    expect([await rowsOf(stub, "scans"), await rowsOf(stub, "bot_scans")]).toEqual([110, 1]);
    await runAlarms(stub, may + 31 * day);
    expect([await rowsOf(stub, "scans"), await rowsOf(stub, "bot_scans")]).toEqual([10, 0]);
    expect(await reportOf(stub, { ...dates, dimensions })).toEqual(before);
    expect((await stub.listScans(scan().qrId, 500)).stats).toEqual({ total: 110, uniqueVisitors: 50 });
    await runAlarms(stub, may + 60 * day);
    expect(await rowsOf(stub, "scans")).toBe(0);
    expect(await reportOf(stub, { ...dates, dimensions })).toEqual(before);
  });

  it("deletes nothing once scans are kept for good again", async () => {
    const stub = newLedger();
    await record(stub, ...scansFrom(may, 10));
    await keep(stub, 30, may);
    await keep(stub, null, may + day);
    await runAlarms(stub, may + 100 * day);
    expect(await rowsOf(stub, "scans")).toBe(10);
  });

  it("deletes a file of archived scans once the last of them is to go", async () => {
    const stub = newLedger();
    await record(stub, ...scansFrom(may, 10), ...scansFrom(may + 5 * day, 10));
    await resize(stub, bounds.ledger.high);
    await record(stub, ...scansFrom(may + 60 * day, bounds.rawScans.newestOfCode));
    await runAlarms(stub, may + 61 * day);
    expect(await archived(stub)).toHaveLength(20);
    await resize(stub, 1e6);
    const before = await reportOf(stub, dates);
    await keep(stub, 90, may + 61 * day);
    await runAlarms(stub, may + 96 * day - 1);
    expect(await archiveKeys(stub)).toHaveLength(1);
    let failures = 0;
    await withBucket(stub, () => ({
      delete: () => {
        failures += 1;
        return Promise.reject(new Error("R2 is down"));
      },
    }));
    await runAlarms(stub, may + 96 * day);
    expect(failures).toBe(1);
    expect((await stub.storage()).archive).toMatchObject({ files: 1, failingSince: expect.any(String) });
    await withBucket(stub, () => ({}));
    await runAlarms(stub, may + 96 * day + hour);
    expect(await archiveKeys(stub)).toEqual([]);
    expect((await stub.storage()).archive).toEqual({ files: 0, scans: 0, bytes: 0, failingSince: null });
    expect(await reportOf(stub, dates)).toEqual(before);
  });

  it("counts a scan once that arrives again while its message may be retried, which ends before it is deleted", async () => {
    const retries = 14 * day;
    const shortest = 30;
    for (const keepScansDays of [1, 14, shortest - 1]) {
      expect(ReportingSettingsInput.safeParse({ keepScansDays }).success).toBe(false);
    }
    expect(Math.min(shortest, bounds.rawScans.days) * day).toBeGreaterThan(retries);
    const stub = newLedger();
    const repeated = scan({ at: may, visitor: visitor(7) });
    const bot = scan({ at: may, prefetch: true });
    await record(stub, repeated, bot, ...scansFrom(may + day, 600));
    await keep(stub, 30, may);
    await resize(stub, bounds.ledger.high);
    for (const now of [may + day, may + retries, may + 30 * day]) {
      await runAlarms(stub, now);
      await stub.recordScans(packed(repeated, bot), now);
      expect((await reportOf(stub, dates)).totals).toMatchObject({ scans: 601, botScans: 1 });
    }
    await resize(stub, 1e6);
  });
});

describe("a change of the time zone", () => {
  it("takes over the days whose scans are not complete, with those that arrive while it does", async () => {
    const stub = newLedger();
    const codes = Array.from({ length: 600 }, (_, i) => `code ${i}`);
    await resize(stub, bounds.ledger.full);
    await stub.recordScans(packed(...codes.map((qrId) => scan({ at: may + hour, qrId }))), may + hour);
    await resize(stub, 1e6);
    const now = may + 2 * day;
    await stub.recordScans(packed(scan({ at: now, qrId: "code 0" })), now);
    await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, now);
    const late = (qrId: string) =>
      stub.recordScans(packed(scan({ at: may + 2 * hour, qrId, visitor: visitor(99) })), now);
    // Before anything is copied; then with the first rows copied, and the last ones not.
    await late("code 1");
    for (let i = 0; (await rowsOf(stub, "rollups WHERE generation = 2")) === 0; i += 1) {
      await runDurableObjectAlarm(stub);
      expect(i).toBeLessThan(5);
    }
    // Two of the rows that were read are of a later day.
    expect(await rowsOf(stub, "rollups WHERE generation = 2")).toBe(copiedRows - 2);
    await late("code 2");
    await late("code 599");
    await runAlarms(stub, now);
    await late("code 3");
    const { timeZone, totals, incomplete } = await reportOf(stub, dates);
    expect({ timeZone, incomplete }).toMatchObject({
      timeZone: "Asia/Kathmandu",
      incomplete: { otherTimeZoneUntil: "2100-05-11" },
    });
    expect(totals.scans).toBe(600 + 1 + 4);
    for (const [qrId, scans] of [
      ["code 0", 2],
      ["code 1", 2],
      ["code 2", 2],
      ["code 599", 2],
      ["code 3", 2],
      ["code 4", 1],
    ] as const) {
      expect([qrId, (await reportOf(stub, { ...dates, qrIds: [qrId] })).totals.scans]).toEqual([qrId, scans]);
    }
  });
});
