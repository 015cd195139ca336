import { describe, expect, it } from "vitest";
import { Dimension } from "../../../../src/contract/resources/scans/analytics.ts";
import { countRows } from "../../../support/catalogue/sql-rows.ts";
import { runs } from "../../../support/runner/runs.ts";
import {
  dates,
  fillYear,
  fold,
  hour,
  many,
  newLedger,
  record,
  reportOf,
  scan,
  start,
  visitor,
} from "../../../support/scans/analytics.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

it("of several codes counts each, folded or not", async () => {
  const stub = newLedger();
  const codes = [1, 2, 3].map((n) => ({ qrId: `code ${n}`, hash: `h${n}` }));
  const scans = many(1500).map((each, i) => ({ ...each, ...codes[i % 3] }));
  await record(stub, ...scans, scan({ qrId: "code 1", hash: "h1", userAgent: "Googlebot/2.1" }));
  const request = {
    ...dates,
    qrIds: ["code 1", "code 2", "unknown"],
    dimensions: ["code", "device"],
  } as const;
  const before = await reportOf(stub, request);
  expect(before.totals).toMatchObject({ scans: 1000, botScans: 1 });
  expect(before.dimensions.code?.items).toEqual([
    { value: "code 1", scans: 500 },
    { value: "code 2", scans: 500 },
  ]);
  await record(stub, ...many(1500, 1500));
  await fold(stub);
  expect(await reportOf(stub, request)).toEqual(before);
});

it("reads as many rows for very many scans as for thousands", async () => {
  const rows = [];
  for (const count of [5000, runs(20_000, 1_000_000)]) {
    const stub = newLedger();
    await fillYear(stub, count);
    const request = { from: "2100-01-01", to: "2100-12-31", compare: "previous", dimensions } as const;
    for (const qrIds of [null, [scan().qrId]]) {
      const { read } = await countRows(stub, async (ledger) => {
        const report = await reportOf(ledger, {
          ...request,
          qrIds,
          dimensions: dimensions.filter((name) => qrIds === null || name !== "code"),
        });
        expect(report.totals.scans).toBe(count);
      });
      rows.push(read);
    }
  }
  expect(rows.slice(2)).toEqual(rows.slice(0, 2));
});

describe("distinct visitors", () => {
  it("are exact for a day and for a range of days", async () => {
    const stub = newLedger();
    const day = 24 * hour;
    const scans = [0, 1, 2].flatMap((n) => [
      scan({ at: start + n * day, visitor: visitor(n) }),
      scan({ at: start + n * day + 1, visitor: visitor(n + 1) }),
    ]);
    await record(stub, ...scans);
    const { totals, series } = await reportOf(stub, { from: "2100-01-10", to: "2100-01-12" });
    expect(series.map(({ visitors }) => visitors?.count)).toEqual([2, 2, 2]);
    expect(totals.visitors).toEqual({ count: 4, exact: true, error: null });
    const byWeek = await reportOf(stub, { from: "2100-01-10", to: "2100-01-12", interval: "week" });
    expect(byWeek.series.map(({ start: at, visitors }) => [at, visitors?.count])).toEqual([
      ["2100-01-10T00:00:00+00:00", 2],
      ["2100-01-11T00:00:00+00:00", 3],
    ]);
  });

  it("of a day with more than 2000 are estimated, and marked so", async () => {
    const stub = newLedger();
    const random = () => crypto.getRandomValues(new Uint8Array(8)).toHex();
    await record(stub, ...Array.from({ length: 3000 }, (_, i) => scan({ at: start + i, visitor: random() })));
    await fold(stub);
    const { totals } = await reportOf(stub, dates);
    expect(totals.visitors?.exact).toBe(false);
    expect(totals.visitors?.error).toBeCloseTo(0.016, 3);
    expect(Math.abs((totals.visitors?.count ?? 0) - 3000)).toBeLessThan(3000 * 0.1);
  });
});

describe("dimensions", () => {
  it("have the values with most scans, and the others summed", async () => {
    const stub = newLedger();
    await record(
      stub,
      scan({ referrer: "example.com" }),
      scan({ country: "AT", city: "Wien", userAgent: windows }),
      scan({ country: "AT", city: "Graz" }),
      scan({ country: "AT", city: null }),
      scan({ country: null, city: null, userAgent: null }),
    );
    const { dimensions } = await reportOf(stub, {
      ...dates,
      dimensions: ["country", "city", "device", "referrer", "code"],
      limit: 2,
    });
    expect(dimensions.country).toEqual({
      items: [
        { value: "AT", scans: 3 },
        { value: null, scans: 1 },
      ],
      other: { values: 1, scans: 1 },
    });
    expect(dimensions.city?.items[0]).toEqual({ value: null, country: null, scans: 1 });
    expect(dimensions.city?.other).toEqual({ values: 3, scans: 3 });
    expect(dimensions.device?.items[0]).toEqual({ value: "mobile", scans: 3 });
    expect(dimensions.referrer?.items).toEqual([
      { value: null, scans: 4 },
      { value: "example.com", scans: 1 },
    ]);
    expect(dimensions.code?.items).toEqual([{ value: scan().qrId, scans: 5 }]);
  });
});

const dimensions = Dimension.options;
