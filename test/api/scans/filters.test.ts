import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { type ScanEvent, ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { countRows } from "../../support/catalogue/sql-rows.ts";
import { expectError } from "../../support/endpoints.ts";
import { runs } from "../../support/runner/runs.ts";
import { SeededRandom } from "../../support/runner/seeded-random.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, phone, Service } from "../../support/service.ts";
import { ledgerOf } from "../../support/world/watchable.ts";

const service = new Service();
const day = 24 * 60 * 60 * 1000;
const january = Date.UTC(2026, 0, 1);
const windows =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

const page = (client: Client, id: string, query: string) =>
  client.expect(200, ScanListResponse.strict(), "GET", `/qr/${id}/scans${query}`);

/** All pages of a list. */
async function walk(client: Client, id: string, filters: string): Promise<ScanEvent[]> {
  const events: ScanEvent[] = [];
  let cursor = "";
  do {
    const { events: more, nextCursor } = await page(client, id, `?${filters}${cursor}`);
    events.push(...more);
    cursor = nextCursor === null ? "" : `&cursor=${nextCursor}`;
  } while (cursor !== "");
  return events;
}

/** Adds scans of the ledger's first code by its first agent, from its first place, a millisecond apart. */
async function addScans(client: Client, scans: number, from: number) {
  await runInDurableObject(ledgerOf(client), (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO scans (id, code, agent, place)
       SELECT unhex(printf('%012x7000800000%010x', ? + i, i)), 1, 1, 1 FROM n`,
      scans,
      from,
    );
  });
}

describe("filters", () => {
  let client: Client;
  let codes: { id: string; hash: string }[];
  let all: ScanEvent[];
  const random = new SeededRandom(15);

  beforeAll(async () => {
    client = await service.workspace();
    codes = [await client.createQr(), await client.createQr()];
    const scans = Array.from({ length: 300 }, () => {
      const { id: qrId, hash } = random.pick(codes);
      return scanRecord({
        workspaceId: client.workspaceId,
        qrId,
        hash,
        at: january + random.below(5) * day + random.pick([0, 1, 1000, day - 1, 7_200_000]),
        country: random.pick(["DE", "AT", "T1", null]),
        city: random.pick(["Köln", null]),
        userAgent: random.pick([phone, windows, "curl/8.9.1", null]),
      });
    });
    await service.deps.ledger(client.workspaceId).recordScans(packed(...scans), january);
    const list = await page(client, codes[0]?.id ?? "", "?limit=500");
    expect(list).toMatchObject({ nextCursor: null, completeFrom: null });
    all = list.events;
    expect(all.length).toBeGreaterThan(100);
  });

  it("find what filtering all scans finds, page by page, newest first", async () => {
    const from = { "2026-01-02": january + day, "2026-01-03T02:00:00%2B02:00": january + 2 * day };
    const to = { "2026-01-03": january + 3 * day - 1, "2026-01-04T02:00:00Z": january + 3 * day + 7_200_000 };
    const unknown = (value: string) => folded(value === "unknown" || value === "Unknown" ? null : value);
    const folded = (value: string | null) => value?.toLowerCase() ?? null;
    const browsers = new Map([
      [phone, "safari"],
      [windows, "chrome"],
    ]);
    const browserOf = ({ userAgent }: ScanEvent) => browsers.get(userAgent ?? "") ?? null;
    const country = { DE: "DE", at: "AT", T1: "T1", unknown: null, FR: "FR" };
    for (let run = 0; run < runs(20, 600); run += 1) {
      const chosen = {
        from: random.pick([undefined, ...(Object.keys(from) as (keyof typeof from)[])]),
        to: random.pick([undefined, ...(Object.keys(to) as (keyof typeof to)[])]),
        country: random.pick([undefined, ...(Object.keys(country) as (keyof typeof country)[])]),
        device: random.pick([undefined, "mobile", "DESKTOP", "Tablet", "unknown"]),
        os: random.pick([undefined, "iOS", "Windows", "ios", "Unknown"]),
        browser: random.pick([undefined, undefined, "Safari", "chrome", "Firefox", "unknown"]),
      };
      const expected = all.filter((scan) => {
        const at = Date.parse(scan.scannedAt);
        return (
          (chosen.from === undefined || at >= from[chosen.from]) &&
          (chosen.to === undefined || at <= to[chosen.to]) &&
          (chosen.country === undefined || scan.country === country[chosen.country]) &&
          (chosen.device === undefined || scan.device === unknown(chosen.device)) &&
          (chosen.os === undefined || folded(scan.os) === unknown(chosen.os)) &&
          (chosen.browser === undefined || browserOf(scan) === unknown(chosen.browser))
        );
      });
      const filters = Object.entries(chosen).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${value}`],
      );
      const limit = `limit=${1 + random.below(40)}`;
      const found = await walk(client, codes[0]?.id ?? "", [...filters, limit].join("&"));
      expect({ filters, found }).toEqual({ filters, found: expected });
    }
  });

  it("leave the statistics as they are", async () => {
    const { stats, events } = await page(client, codes[0]?.id ?? "", "?country=FR");
    expect(events).toEqual([]);
    expect(stats.total).toBe(all.length);
  });

  it("do not miss or repeat scans that arrive between pages", async () => {
    const [{ id: qrId, hash } = { id: "", hash: "" }] = codes;
    const first = await page(client, qrId, "?limit=10");
    const late = scanRecord({ workspaceId: client.workspaceId, qrId, hash, at: january + 6 * day });
    await service.deps.ledger(client.workspaceId).recordScans(packed(late), january);
    const rest = await walk(client, qrId, `limit=500&cursor=${first.nextCursor}`);
    expect([...first.events, ...rest]).toEqual(all);
  });

  it("have cursors of their own", async () => {
    const [a, b] = codes.map(({ id }) => id);
    const { nextCursor } = await page(client, a ?? "", "?limit=5&country=de&from=2026-01-01");
    expect(
      (await page(client, a ?? "", `?country=DE&from=2026-01-01T00:00:00Z&cursor=${nextCursor}`)).events,
    ).not.toEqual([]);
    for (const path of [
      `${a}/scans?cursor=${nextCursor}`,
      `${a}/scans?country=AT&from=2026-01-01&cursor=${nextCursor}`,
      `${a}/scans?country=DE&from=2026-01-02&cursor=${nextCursor}`,
      `${b}/scans?country=DE&from=2026-01-01&cursor=${nextCursor}`,
      `${a}/scans?cursor=x`,
      `${a}/scans?cursor=`,
    ]) {
      const error = await expectError(await client.send("GET", `/qr/${path}`), 400, "invalid_input");
      expect([path, error]).toEqual([path, expect.stringContaining("cursor ")]);
    }
  });

  it.each([
    ["from", "yesterday"],
    ["from", ""],
    ["from", "2026-02-30"],
    ["from", "2026-01-01T09:00:00"],
    ["from", "2026-01-31T09:30:00+02:00"],
    ["to", "1767225600000"],
    ["to", "2026-13-01"],
    ["from", "2026-02-01&to=2026-01-31"],
    ["from", "2026-01-31T00:00:01Z&to=2026-01-31T00:00:00Z"],
    ["from", "2026-01-01&from=2026-01-02"],
    ["country", "Germany"],
    ["country", "D"],
    ["country", "null"],
    ["country", ""],
    ["device", "phone"],
    ["device", "phone"],
    ["browser", ""],
    ["device", ""],
    ["os", ""],
    ["os", "x".repeat(101)],
    ["limit", "0"],
  ])("refuse %s=%s with an error that names it", async (name, value) => {
    const response = await client.send("GET", `/qr/${codes[0]?.id}/scans?${name}=${value}`);
    expect(await expectError(response, 400, "invalid_input")).toMatch(new RegExp(`^${name} `));
  });

  it("take days before 1970 and far in the future", async () => {
    const found = await walk(client, codes[1]?.id ?? "", "from=0001-01-01&to=9999-12-31");
    expect(found).toEqual((await page(client, codes[1]?.id ?? "", "?limit=500")).events);
    expect((await page(client, codes[1]?.id ?? "", "?to=1969-12-31")).events).toEqual([]);
  });
});

describe("a page", () => {
  it("reads as many rows among 100 000 scans as among 1000, and few beyond its own", async () => {
    const read: number[] = [];
    for (const scans of [1000, 100_000]) {
      const client = await service.workspace();
      const { id: qrId, hash } = await client.createQr();
      const record = scanRecord({ workspaceId: client.workspaceId, qrId, hash });
      await service.deps.ledger(client.workspaceId).recordScans(packed(record), january);
      await addScans(client, scans, january);
      const rows = await countRows(ledgerOf(client), (ledger) => {
        expect(ledger.listScans(qrId, 50)).toMatchObject({
          events: { length: 50 },
          next: expect.any(String),
        });
      });
      read.push(rows.read);
    }
    expect(read[0]).toBe(read[1]);
    expect(read[0]).toBeLessThanOrEqual(5 * 52 + 4);
  });

  it("examines a bounded number of scans, and the next one continues from there", async () => {
    const client = await service.workspace();
    const { id: qrId, hash } = await client.createQr();
    const common = { workspaceId: client.workspaceId, qrId, hash };
    const oldest = scanRecord({ ...common, at: january, country: "FR" });
    const newest = scanRecord({ ...common, at: january + day, country: "DE" });
    await service.deps.ledger(client.workspaceId).recordScans(packed(newest, oldest), january);
    const between = 2 * bounds.listedScans - 1;
    await addScans(client, between, january + 1);

    const rows = await countRows(ledgerOf(client), (ledger) => {
      const filter = {
        after: null,
        from: 0,
        until: 2 * january,
        country: "FR",
        device: null,
        os: null,
        browser: null,
      };
      expect(ledger.listScans(qrId, 50, filter)).toMatchObject({ events: [], next: expect.any(String) });
    });
    expect(rows.read).toBeLessThanOrEqual(5 * (bounds.listedScans + 2) + 4);
    const lengths: number[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { events, nextCursor } = await page(client, qrId, `?country=FR${cursor && `&cursor=${cursor}`}`);
      lengths.push(events.length);
      cursor = nextCursor;
    }
    expect(lengths).toEqual([0, 0, 1]);
  });

  it("says from when on the list is complete, once older scans have been archived", async () => {
    const client = await service.workspace();
    const { id: qrId } = await client.createQr();
    await runInDurableObject(ledgerOf(client), (_, { storage }) => storage.kv.put("raw_since", january));
    expect(await page(client, qrId, "")).toMatchObject({
      events: [],
      completeFrom: "2026-01-01T00:00:00.000Z",
    });
    expect(await page(client, qrId, "?country=DE")).toMatchObject({
      completeFrom: "2026-01-01T00:00:00.000Z",
    });
  });
});
