import { describe, expect, it } from "vitest";
import { Analytics } from "../../../src/contract/resources/scans/analytics.ts";
import { ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { FakeClock, phone, Service } from "../../support/service.ts";

const day = 24 * 60 * 60 * 1000;
const scansPerMessage = 100;

/** A workspace whose code is scanned with values of one kind. */
async function scannedWith(toScan: (value: string) => Partial<ScanRecord>) {
  const clock = new FakeClock(Date.UTC(2100, 4, 10));
  const service = new Service({ now: clock.now });
  const client = await service.workspace();
  const { id: qrId, hash } = await client.createQr();
  const scan = async (...values: string[]) => {
    clock.advance(1);
    const scans = values.map((value) =>
      scanRecord({ at: clock.now(), workspaceId: client.workspaceId, qrId, hash, ...toScan(value) }),
    );
    const messages = [];
    for (let i = 0; i < scans.length; i += scansPerMessage) {
      messages.push({ body: { batches: packed(...scans.slice(i, i + scansPerMessage)) } });
    }
    expect((await service.consume("scans", messages)).retryMessages).toEqual([]);
  };
  const flood = (count: number) => scan(...Array.from({ length: count }, (_, i) => `invented-${i}.example`));
  const list = async (limit: number) => {
    const { events } = await client.expect(200, ScanListResponse, "GET", `/qr/${qrId}/scans?limit=${limit}`);
    return events;
  };
  const report = async (dimension: "city" | "referrer") => {
    const query = `from=2100-05-10&to=2100-05-11&dimensions=${dimension}&limit=500`;
    const { dimensions } = await client.expect(200, Analytics, "GET", `/analytics?${query}`);
    const { items = [], other } = dimensions[dimension] ?? {};
    const scansOf = (value: string) => items.find((item) => item.value === value)?.scans ?? 0;
    return { scansOf, values: items.length + (other?.values ?? 0) };
  };
  return { clock, scan, flood, list, report };
}

describe("a flood of invented values", () => {
  it.each([
    ["city", (city: string) => ({ city }), bounds.entries.places.newPerDay],
    ["referrer", (referrer: string) => ({ referrer }), bounds.entries.referrers.newPerDay],
  ] as const)(
    "of the dimension %s uses up the new names of a day, and no others",
    async (dimension, toScan, newPerDay) => {
      const { clock, scan, flood, report } = await scannedWith(toScan);
      await scan("known");
      await flood(newPerDay + 30);
      await scan("known", "new");
      const today = await report(dimension);
      expect([today.scansOf("known"), today.scansOf("new"), today.scansOf("(other)")]).toEqual([2, 0, 32]);
      expect(today.values).toBe(newPerDay + 1);
      clock.advance(day);
      await scan("known", "new", "new");
      const tomorrow = await report(dimension);
      expect([tomorrow.scansOf("known"), tomorrow.scansOf("new"), tomorrow.scansOf("(other)")]).toEqual([
        3, 2, 32,
      ]);
    },
  );

  it("of user agents uses up those of a day, and no others", async () => {
    const { clock, scan, flood, list } = await scannedWith((value) => ({ userAgent: `${phone} ${value}` }));
    const shown = async () =>
      (await list(2)).map(({ userAgent }) => userAgent?.replace(`${phone} `, "")).sort();
    await scan("known");
    await flood(bounds.entries.agents.newPerDay + 30);
    await scan("known", "new");
    expect(await shown()).toEqual(["(other mobile, iOS, Safari)", "known"]);
    clock.advance(day);
    await scan("known", "new");
    expect(await shown()).toEqual(["known", "new"]);
  });

  it("of referrers and places by bots takes no name from people", async () => {
    const { scan, flood, report } = await scannedWith((referrer) => ({
      referrer,
      ...(referrer.startsWith("invented") ? { userAgent: "Googlebot/2.1" } : {}),
    }));
    await flood(bounds.entries.referrers.newPerDay + 30);
    await scan("new");
    const { scansOf, values } = await report("referrer");
    expect([scansOf("new"), values]).toEqual([1, 1]);
  });
});
