import { describe, expect, it } from "vitest";
import {
  dates,
  fold,
  hour,
  newLedger,
  record,
  reportOf,
  scan,
  start,
  visitor,
} from "../support/analytics.ts";

const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

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
