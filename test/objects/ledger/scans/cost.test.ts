import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { RowMeter } from "../../../../bench/workers/row-meter.ts";
import { recordTraffic } from "../../../../bench/workers/traffic.ts";
import { shapes, type Traffic, type TrafficCost } from "../../../../bench/workers/traffic-shapes.ts";
import { folding } from "../../../../src/objects/ledger/analytics/rollups.ts";
import { countRows } from "../../../support/catalogue/sql-rows.ts";
import { hour, many, newLedger, scan, start } from "../../../support/scans/analytics.ts";
import { packed } from "../../../support/scans/scans.ts";

/** Rows written are most of what a scan costs. These are exact: one more is a change of the price. */
const rows = {
  /** Its row, and an entry of the index by code. */
  scan: 2,
  newVisitor: 1,
  /** The totals of each code in a message. */
  codeInMessage: 1,
  /** The ids that live connections can resume with. */
  message: 1,
  /** For each chunk that is folded: setting the alarm and noting its time, deleting that, and the generation's cursor. */
  alarm: 2 + 1 + 1,
  /** Setting the alarm for what comes after, and noting its time. */
  nextAlarm: 2,
} as const;

/** The cost of the same without rollups: totals by code, and a row by code, day and message. */
const earlierCodeInMessage = 2;

const tests: readonly (readonly [string, Traffic])[] = [
  ["one hot code", { ...shapes.hotCode, scansPerDay: 20_000 }],
  ["a thousand codes with ten scans a day each", { ...shapes.manyCodes, codes: 1000, scansPerDay: 10_000 }],
  ["one code from 200 countries", { ...shapes.manyCountries, citiesPerCountry: 2, scansPerDay: 20_000 }],
];

describe.each(tests)("rows written for scans of %s", (_title, traffic) => {
  it("by recording are a scan's own two, its visitor's, and one per code and message", async () => {
    const { recordingRows, alarms, ...cost } = await costOf(traffic, folding.tail - known);
    expect(alarms).toBe(0);
    const messages = Math.ceil((folding.tail - known) / traffic.scansPerMessage);
    expect(recordingRows).toBe(expectedRows(cost, rows.codeInMessage) + messages * rows.message);
    expect(recordingRows).toBeLessThanOrEqual(expectedRows(cost, earlierCodeInMessage));
  });

  it("by folding are one per code and day, one per day, and the alarm's", async () => {
    // The message that exceeds the tail sets the alarm.
    const message = traffic.scansPerMessage;
    const { alarmRows, recordingRows, alarms, ...cost } = await costOf(
      traffic,
      folding.tail - known + message,
    );
    expect(alarms).toBe(1);
    expect(recordingRows + alarmRows).toBe(
      expectedRows(cost, rows.codeInMessage) +
        ((folding.tail - known) / message + 1) * rows.message +
        (traffic.codes + 1) +
        rows.alarm +
        rows.nextAlarm,
    );
  });
});

it("in a flood, each code's rollup is written once for a chunk of scans", async () => {
  const flood = { ...shapes.manyCodes, codes: 100, scansPerDay: 500_000_000, scansPerMessage: 1000 };
  const message = flood.scansPerMessage;
  const { alarms, alarmRows } = await costOf(flood, folding.tail + folding.maxTail + message);
  // The first scans beyond the tail, then those that wait, and those of the message with which they are too many.
  expect(alarms).toBe(1 + folding.maxTail / folding.chunk + 1);
  expect(alarmRows).toBeLessThanOrEqual(alarms * (flood.codes + 1 + rows.alarm + rows.nextAlarm));
});

it("recording a scan of a known code runs no statement that it could do without", async () => {
  const stub = newLedger();
  await stub.recordScans(packed(scan()), start);
  const next = scan({ at: start + 1 });
  const { statements, read } = await countRows(stub, (ledger) => ledger.recordScans(packed(next), start + 1));
  // The visitor, the scan, the totals of its code, what live connections resume with, and the webhooks twice: whether
  // they are sent scans, and when they have to be enqueued.
  expect(statements).toBe(6);
  expect(read).toBe(13);
});

it("scans that arrive while the alarm is due do not set it again, unless it is lost", async () => {
  await runInDurableObject(newLedger(), async (ledger, { storage }) => {
    const meter = new RowMeter(storage);
    await ledger.recordScans(packed(...many(folding.tail + 1)), start);
    expect(meter.alarmAt).toBe(start);
    meter.take();
    await ledger.recordScans(packed(scan({ at: start + 1000 })), start + 1000);
    expect(meter.alarmAt).toBe(start);
    expect(meter.take().written).toBeLessThanOrEqual(
      rows.scan + rows.newVisitor + rows.codeInMessage + rows.message,
    );
    await ledger.recordScans(packed(scan({ at: start + hour })), start + hour);
    expect(meter.alarmAt).toBe(start + hour);
  });
});

it("a ledger that was evicted writes no more for codes, places, user agents and addresses that it has", async () => {
  const stub = newLedger();
  const one = () => scan({ referrer: "example.com", via: "go.example/menu" });
  await stub.recordScans(packed(one()), start);
  await evictDurableObject(stub);
  await runInDurableObject(stub, async (ledger, { storage }) => {
    const meter = new RowMeter(storage);
    await ledger.recordScans(packed(one()), start);
    expect(meter.take().written).toBe(rows.scan + rows.codeInMessage + rows.message);
  });
});

const expectedRows = (
  { scans, newVisitors, codesInMessages }: Pick<TrafficCost, "scans" | "newVisitors" | "codesInMessages">,
  codeInMessage: number,
) => scans * rows.scan + newVisitors * rows.newVisitor + codesInMessages * codeInMessage;

/** The scans before, which make codes, places and user agents known. */
const known = 1000;

async function costOf(traffic: Traffic, scans: number): Promise<TrafficCost> {
  const stub = newLedger();
  return runInDurableObject(stub, async (ledger, { storage }) => {
    const meter = new RowMeter(storage);
    await recordTraffic(ledger, meter, traffic, 0, known);
    // Copies the totals of new codes, unless it has.
    if ((meter.alarmAt ?? 0) < start + 24 * hour) await ledger.alarm();
    meter.take();
    return recordTraffic(ledger, meter, traffic, known, known + scans);
  });
}
