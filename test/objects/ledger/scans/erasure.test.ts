import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { folding } from "../../../../src/objects/ledger/analytics/rollups.ts";
import { removalChunk } from "../../../../src/objects/ledger/maintenance/scan-removal.ts";
import { bounds } from "../../../../src/protocol/bounds.ts";
import { scan, visitor } from "../../../support/scans/analytics.ts";
import {
  archived,
  archiveKeys,
  resize,
  rowsOf,
  runAlarms,
  scansFrom,
} from "../../../support/scans/archives.ts";
import {
  archivable,
  archiveOld,
  both,
  day,
  erase,
  expectGone,
  exported,
  hour,
  idsOf,
  later,
  list,
  may,
  modes,
  newLedger,
  now,
  own,
  pending,
  record,
  reports,
} from "../../../support/scans/scan-erasures.ts";

/** Scans of each of two codes, so many that alarms fold them. */
const foldable = folding.tail / 2 + 1;

/** Whether alarms have folded the scans when they are erased, and how long the alarms had time for it. */
const foldedOrNot = [
  ["are not folded", 0],
  ["are folded", 31 * day],
] as const;

describe("scans erased with their sums", () => {
  it.each(foldedOrNot)("count nowhere from the answer on, where they %s", async (_, wait) => {
    const stub = newLedger();
    const scans = both(foldable);
    await record(stub, may, ...scans);
    if (wait > 0) expect(await runAlarms(stub, may + wait)).toBeGreaterThan(0);
    const before = await reports(stub);
    expect(before.all.totals.scans).toBe(2 * foldable);
    await erase(stub, "gone", "erase");
    for (let i = 0; i < 3; i += 1) {
      await expectGone(stub);
      expect((await reports(stub)).stays).toEqual(before.stays);
      expect(await list(stub, "gone")).toMatchObject({ stats: { total: 0, uniqueVisitors: 0 }, events: [] });
      expect(await exported(stub)).toEqual(idsOf(own(scans, "stays")));
      await runAlarms(stub, i === 0 ? now : later);
    }
    expect(await pending(stub)).toBe(0);
    expect(await rowsOf(stub, "scans")).toBe(foldable);
    expect(await rowsOf(stub, "bot_scans")).toBe(10);
    expect(await rowsOf(stub, "visitors")).toBe(50);
    const rollups = await runInDurableObject(stub, (_ledger, { storage }) =>
      storage.sql.exec<{ code: number }>("SELECT DISTINCT code FROM rollups ORDER BY code").toArray(),
    );
    expect(rollups).toHaveLength(2);
  });

  it("do not count when they are sent again, and nor do those that were on their way; later ones do", async () => {
    const stub = newLedger();
    const scans = both(100);
    await record(stub, may, ...scans);
    await erase(stub, "gone", "erase");
    const onTheirWay = scan({ at: now - 5000, qrId: "gone", visitor: visitor(99) });
    await record(stub, now + 1, ...scans, onTheirWay);
    await expectGone(stub);
    await runAlarms(stub, later);
    await record(stub, later, ...scans, onTheirWay);
    await expectGone(stub);
    await record(stub, later, scan({ at: now + hour, qrId: "gone", visitor: visitor(1) }));
    expect((await list(stub, "gone")).stats).toEqual({ total: 1, uniqueVisitors: 1 });
    expect((await reports(stub)).gone.totals).toMatchObject({ scans: 1, newVisitors: 1 });
  });

  it("leave a day of the workspace without visitors once no scan of it is left", async () => {
    const stub = newLedger();
    await record(stub, may, ...scansFrom(may, 10, { qrId: "gone" }));
    await record(stub, may, ...scansFrom(may + day, folding.tail, { qrId: "stays" }));
    await runAlarms(stub, may + 2 * day);
    await erase(stub, "gone", "erase");
    const { all } = await reports(stub);
    const visitors = all.series.map((point) => point.visitors?.count ?? 0);
    expect(visitors.filter((count) => count > 0)).toEqual([50, 50]);
  });

  it("are left out of a time zone that is being built", async () => {
    const stub = newLedger();
    await record(stub, may, ...both(archivable));
    await archiveOld(stub);
    expect(await archiveKeys(stub)).not.toEqual([]);
    await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, now);
    await runDurableObjectAlarm(stub);
    await erase(stub, "gone", "erase");
    await expectGone(stub);
    await runAlarms(stub, later);
    expect(await stub.reportingStatus()).toMatchObject({ timeZone: "Asia/Kathmandu", rebuilding: null });
    await expectGone(stub);
    expect(new Set((await archived(stub)).map(({ qrId }) => qrId))).toEqual(new Set(["stays"]));
  });
});

describe("scans erased without their sums", () => {
  it.each(foldedOrNot)(
    "leave the list and the export at once, and count as before, where they %s",
    async (_, wait) => {
      const stub = newLedger();
      const scans = both(foldable);
      await record(stub, may, ...scans);
      if (wait > 0) expect(await runAlarms(stub, may + wait)).toBeGreaterThan(0);
      const before = await reports(stub);
      await erase(stub, "gone", "keep");
      for (let i = 0; i < 2; i += 1) {
        expect(await reports(stub)).toEqual(before);
        expect(await list(stub, "gone")).toMatchObject({
          stats: { total: foldable, uniqueVisitors: 50 },
          events: [],
          next: null,
          completeFrom: now + 1,
        });
        expect((await list(stub, "stays")).completeFrom).toBe(null);
        expect(await exported(stub)).toEqual(idsOf(own(scans, "stays")));
        await runAlarms(stub, later);
      }
      expect(await pending(stub)).toBe(0);
      expect(await rowsOf(stub, "scans")).toBe(foldable);
      expect(await rowsOf(stub, "bot_scans")).toBe(10);
      expect(await stub.countScans()).toBe(2 * foldable);
    },
  );

  it("count once: those that are sent again do not, those that were on their way do, unseen", async () => {
    const stub = newLedger();
    const recent = { qrId: "gone", visitor: visitor(7) };
    const scans = [
      ...Array.from({ length: 30 }, (_, i) => scan({ at: now - (i + 1) * 10 * hour, ...recent })),
      scan({ at: now - day, ...recent, prefetch: true }),
    ];
    await record(stub, now, ...scans);
    await erase(stub, "gone", "keep");
    const onTheirWay = scan({ at: now - 5000, ...recent });
    await record(stub, now + 1, ...scans, onTheirWay, scan({ at: now - 1, ...recent, prefetch: true }));
    await runAlarms(stub, later);
    await record(stub, later, ...scans, onTheirWay);
    const { gone } = await reports(stub);
    expect(gone.totals).toMatchObject({ scans: 31, newVisitors: 1, botScans: 2 });
    expect(await list(stub, "gone")).toMatchObject({
      stats: { total: 31, uniqueVisitors: 1 },
      events: [],
    });
    expect(await rowsOf(stub, "scans")).toBe(0);
    const next = scan({ at: later, ...recent });
    await record(stub, later, next);
    expect((await list(stub, "gone")).events).toMatchObject([{ id: next.id }]);
    expect(await rowsOf(stub, "counted_scans")).toBe(33);
    // Ids are forgotten once the scans can't be sent again.
    const { days } = bounds.rawScans;
    await runAlarms(stub, now + days * day - 1);
    await record(stub, now + days * day - 1, ...scans.slice(0, 2), onTheirWay);
    expect((await list(stub, "gone")).stats.total).toBe(32);
    await runAlarms(stub, now + days * day);
    expect(await rowsOf(stub, "counted_scans")).toBe(0);
  });

  it("keep their days through a change of the time zone, which are marked", async () => {
    const stub = newLedger();
    await record(stub, may, ...both(700));
    await erase(stub, "gone", "keep");
    const before = await reports(stub);
    // The rows are there still.
    await stub.changeReporting({ timeZone: "Pacific/Kiritimati" }, now);
    await runAlarms(stub, later);
    expect(await pending(stub)).toBe(0);
    expect(await rowsOf(stub, "scans")).toBe(700);
    // They are gone.
    await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, later);
    await runAlarms(stub, later + hour);
    const after = await reports(stub);
    for (const which of ["gone", "stays", "all"] as const) {
      expect(after[which].timeZone).toBe("Asia/Kathmandu");
      expect(after[which].incomplete.otherTimeZoneUntil).not.toBe(null);
      expect(after[which].totals).toEqual(before[which].totals);
      expect(after[which].dimensions).toEqual(before[which].dimensions);
      expect(after[which].series.map(({ scans }) => scans)).toEqual(
        before[which].series.map(({ scans }) => scans),
      );
    }
  });

  it("stay in their sums while a time zone is being built", async () => {
    const stub = newLedger();
    await record(stub, may, ...both(archivable));
    await archiveOld(stub);
    const before = await reports(stub);
    await stub.changeReporting({ timeZone: "Asia/Kathmandu" }, now);
    await erase(stub, "gone", "keep");
    await runAlarms(stub, later);
    const after = await reports(stub);
    expect(after.gone.timeZone).toBe("Asia/Kathmandu");
    expect(after.gone.incomplete.otherTimeZoneUntil).toBe(null);
    for (const which of ["gone", "stays", "all"] as const) {
      expect(after[which].totals).toEqual(before[which].totals);
      expect(after[which].allTime).toEqual(before[which].allTime);
    }
    expect(await pending(stub)).toBe(0);
    expect((await archived(stub)).every(({ qrId }) => qrId === "stays")).toBe(true);
  });
});

describe.each(modes)("an erasure (sums: %s)", (sums) => {
  it("continues chunk by chunk where an object that died left it", async () => {
    const stub = newLedger();
    const scans = scansFrom(may, removalChunk + 10, { qrId: "gone" });
    await record(stub, may, ...scans, ...both(10));
    const bots = scansFrom(may, removalChunk + 10, { qrId: "stays", prefetch: true });
    await record(stub, may, ...bots);
    await runAlarms(stub, may + day);
    await erase(stub, "gone", sums);
    let alarms = 0;
    while ((await pending(stub)) > 0) {
      await resize(stub, bounds.ledger.high);
      await runDurableObjectAlarm(stub);
      await evictDurableObject(stub);
      alarms += 1;
      expect(alarms).toBeLessThan(20);
    }
    expect(alarms).toBeGreaterThan(2);
    expect(await rowsOf(stub, "scans")).toBe(10);
    const files = await archived(stub);
    expect(files.filter(({ qrId }) => qrId === "gone")).toEqual([]);
    expect((await rowsOf(stub, "bot_scans")) + files.length).toBe(bots.length + 10);
    expect((await list(stub, "gone")).stats.total).toBe(sums === "keep" ? scans.length + 10 : 0);
  });

  it("changes nothing when it is repeated, before and after its work is done", async () => {
    const stub = newLedger();
    await record(stub, may, ...both(60));
    await erase(stub, "gone", sums);
    const { gone, stays, all } = await reports(stub);
    for (let i = 0; i < 2; i += 1) {
      await erase(stub, "gone", sums);
      await erase(stub, "gone", sums);
      expect(await reports(stub)).toEqual({ gone, stays, all });
      await runAlarms(stub, later);
      expect(await reports(stub)).toEqual({ gone, stays, all });
    }
    expect(await pending(stub)).toBe(0);
  });

  it("has nothing to do for a code without scans", async () => {
    const stub = newLedger();
    await record(stub, may, ...both(10));
    const before = await reports(stub);
    await erase(stub, "never scanned", sums);
    await runAlarms(stub, later);
    expect(await reports(stub)).toEqual(before);
    expect((await list(stub, "never scanned")).stats).toEqual({ total: 0, uniqueVisitors: 0 });
  });

  it("and retention of the same scans do not hinder each other", async () => {
    const stub = newLedger();
    await record(stub, may, ...both(archivable));
    await archiveOld(stub);
    expect(await archiveKeys(stub)).not.toEqual([]);
    await stub.changeReporting({ keepScansDays: 30 }, now);
    await erase(stub, "gone", sums);
    const before = await reports(stub);
    await runAlarms(stub, later);
    expect(await archiveKeys(stub)).toEqual([]);
    expect(await rowsOf(stub, "scans")).toBe(0);
    expect(await reports(stub)).toEqual(before);
    expect(await pending(stub)).toBe(0);
  });
});

it.each(modes)("scans of an edge whose clock is ahead are erased, too (sums: %s)", async (sums) => {
  const stub = newLedger();
  const ahead = [
    scan({ at: now + 5000, qrId: "gone" }),
    scan({ at: now + 6000, qrId: "gone", prefetch: true }),
  ];
  await record(stub, now, ...ahead);
  await erase(stub, "gone", sums);
  await record(stub, now, ...ahead);
  await runAlarms(stub, later);
  await record(stub, later, ...ahead);
  const count = sums === "keep" ? 1 : 0;
  expect(await list(stub, "gone")).toMatchObject({ stats: { total: count }, events: [] });
  expect((await reports(stub)).gone.totals).toMatchObject({ scans: count, botScans: count });
  expect([await rowsOf(stub, "scans"), await rowsOf(stub, "bot_scans")]).toEqual([0, 0]);
});

it("sums can be erased after the scans were", async () => {
  const stub = newLedger();
  await record(stub, may, ...both(60));
  await erase(stub, "gone", "keep");
  await erase(stub, "gone", "erase", now + 1);
  await expectGone(stub);
  await runAlarms(stub, later);
  await expectGone(stub);
  expect((await list(stub, "gone")).completeFrom).toBe(null);
  expect(await rowsOf(stub, "scans")).toBe(60);
});
