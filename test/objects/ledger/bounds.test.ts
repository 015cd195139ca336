import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { newId } from "../../../src/lib/text/ids.ts";
import { reportOf } from "../../support/scans/analytics.ts";
import { packed, scanRecord as scan } from "../../support/scans/scans.ts";
import { phone } from "../../support/service.ts";

const start = Date.UTC(2026, 0, 1);
const gigabytes = 1e9;
type Stub = ReturnType<typeof newLedger>;

const newLedger = () => env.LEDGERS.get(env.LEDGERS.newUniqueId());

const query = <T extends Record<string, SqlStorageValue>>(
  stub: Stub,
  sql: string,
  ...values: SqlStorageValue[]
): Promise<T[]> =>
  runInDurableObject(stub, (_, { storage }) => storage.sql.exec<T>(sql, ...values).toArray());

const count = async (stub: Stub, table: string): Promise<number> =>
  (await query<{ n: number }>(stub, `SELECT count(*) AS n FROM ${table}`))[0]?.n ?? 0;

const record = (stub: Stub, ...scans: ScanRecord[]) => stub.recordScans(packed(...scans), start);

let agents = 0;
/** A user agent of this browser that no other scan has. Numbered, because random letters may spell another device. */
const unique = (base: string) => {
  agents += 1;
  return `${base} No${agents}`;
};
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

describe("user agents and places", () => {
  const full = async () => {
    const stub = newLedger();
    await stub.countScans();
    await query(stub, "INSERT INTO clients (device, os, browser) VALUES ('mobile', 'iOS', '')");
    const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)";
    await query(
      stub,
      `${numbers} INSERT INTO agents (user_agent, client, bot) SELECT 'Mozilla/5.0 (iPhone; ' || i || ')', 1, 0 FROM n`,
      49_999,
    );
    await query(
      stub,
      `${numbers} INSERT INTO places (country, city) SELECT 'DE', 'City ' || i FROM n`,
      99_999,
    );
    return stub;
  };

  it("beyond 50 000 user agents share one of their device, system and browser", async () => {
    const stub = await full();
    const last = unique(phone);
    await record(stub, scan({ userAgent: last }));
    await record(
      stub,
      ...[phone, phone, windows, windows].map((base, i) =>
        scan({ at: start + 1 + i, userAgent: unique(base) }),
      ),
    );
    await record(
      stub,
      scan({ at: start + 9, userAgent: last }),
      scan({ at: start + 10, userAgent: "Mozilla/5.0 (iPhone; 7)" }),
    );
    const { events, stats } = await stub.listScans(scan().qrId, 10);
    expect(stats.total).toBe(7);
    expect(events.map(({ userAgent, device, os }) => [userAgent, device, os]).reverse()).toEqual([
      [last, "mobile", "iOS"],
      ["(other mobile, iOS, Safari)", "mobile", "iOS"],
      ["(other mobile, iOS, Safari)", "mobile", "iOS"],
      ["(other desktop, Windows, Firefox)", "desktop", "Windows"],
      ["(other desktop, Windows, Firefox)", "desktop", "Windows"],
      [last, "mobile", "iOS"],
      ["Mozilla/5.0 (iPhone; 7)", "mobile", "iOS"],
    ]);
    expect(await count(stub, "agents")).toBe(50_002);
  });

  it("beyond the bound can't be multiplied by made-up names, and bots stay bots", async () => {
    const stub = await full();
    await record(stub, scan());
    const madeUp = Array.from({ length: 300 }, (_, i) =>
      scan({ at: start + 1 + i, userAgent: `Mozilla/5.0 (Thing${i}; rv:1.0) Browser${i}/1.0` }),
    );
    await record(stub, ...madeUp, scan({ userAgent: unique("Googlebot/2.1") }));
    expect(await count(stub, "agents")).toBeLessThanOrEqual(50_010);
    expect(await count(stub, "bot_scans")).toBe(1);
    expect((await stub.listScans(scan().qrId, 1)).stats.total).toBe(301);
  });

  it("beyond 100 000 places share one of their country", async () => {
    const stub = await full();
    const cities = ["Köln", "Bonn", "Trier", "Köln"];
    for (const [i, city] of cities.entries()) await record(stub, scan({ at: start + i, city }));
    await record(
      stub,
      scan({ at: start + 4, country: "AT", city: "Wien" }),
      scan({ at: start + 5, city: null }),
    );
    const { events } = await stub.listScans(scan().qrId, 10);
    expect(events.map(({ country, city }) => [country, city]).reverse()).toEqual([
      ["DE", "Köln"],
      ["DE", "(other)"],
      ["DE", "(other)"],
      ["DE", "Köln"],
      ["AT", "(other)"],
      ["DE", null],
    ]);
    expect(await count(stub, "places")).toBe(100_003);
  });

  it("a user agent is stored with at most 400 characters", async () => {
    const stub = newLedger();
    await record(stub, scan({ userAgent: `${phone} ${"x".repeat(5000)}` }));
    const [row] = await query<{ n: number }>(stub, "SELECT max(length(user_agent)) AS n FROM agents");
    expect(row?.n).toBe(400);
  });
});

describe("a ledger near its limit", () => {
  /** Makes the ledger believe that it has this size. */
  const resize = (stub: Stub, bytes: number) =>
    runInDurableObject(stub, (_, { storage }) => {
      Object.defineProperty(storage.sql, "databaseSize", { value: bytes, configurable: true });
    });

  const totals = async (stub: Stub) => {
    const { scans, botScans, newVisitors } = (await reportOf(stub)).totals;
    return { scans, bots: botScans, visitors: newVisitors };
  };

  it("says how full it is", async () => {
    const stub = newLedger();
    expect(await stub.storage()).toMatchObject({ status: "ok", bytes: expect.any(Number) });
    await resize(stub, 6 * gigabytes);
    expect(await stub.storage()).toMatchObject({ status: "high", bytes: 6 * gigabytes });
    await resize(stub, 9 * gigabytes);
    expect(await stub.storage()).toMatchObject({ status: "full", bytes: 9 * gigabytes });
  });

  it("counts scans from 9 GB on without storing them, each once", async () => {
    const stub = newLedger();
    const [before, first, second] = [scan(), scan({ at: start + 1 }), scan({ at: start + 2 })];
    const bot = scan({ at: start + 3, userAgent: "Googlebot/2.1" });
    const visitor = scan({ at: start + 4, visitor: "00000000000000bb" });
    await record(stub, before);
    await resize(stub, 9 * gigabytes);
    await record(stub, before, first, bot);
    await record(stub, first, second, bot, visitor);
    expect((await stub.listScans(before.qrId, 10)).stats).toEqual({ total: 4, uniqueVisitors: 2 });
    expect(await totals(stub)).toEqual({ scans: 4, bots: 1, visitors: 2 });
    expect([await count(stub, "scans"), await count(stub, "bot_scans")]).toEqual([1, 0]);
    await resize(stub, 5 * gigabytes);
    await record(stub, before, first, second, bot, visitor, scan({ at: start + 5 }));
    expect(await totals(stub)).toEqual({ scans: 5, bots: 1, visitors: 2 });
    expect(await count(stub, "scans")).toBe(2);
  });

  it("forgets the ids of scans that it only counted after a day", async () => {
    const stub = newLedger();
    await resize(stub, 9 * gigabytes);
    await record(stub, scan());
    const later = start + 24 * 60 * 60 * 1000 + 1;
    await stub.recordScans(packed(scan({ at: later })), later);
    expect(await count(stub, "counted_scans")).toBe(1);
    expect((await stub.listScans(scan().qrId, 1)).stats.total).toBe(2);
  });

  it("keeps its last half gigabyte for counts: other events wait in the outbox, submissions are refused", async () => {
    const stub = newLedger();
    await resize(stub, 9.5 * gigabytes);
    await runInDurableObject(stub, async (instance) => {
      const event = { id: newId(start), kind: "qr.created", at: start, data: {} } as never;
      await expect(instance.receive({ events: [event] }, start)).rejects.toThrow("full");
      const submission = { id: newId(start), pageId: "p", fingerprint: "f", sender: "s", fields: {} };
      await expect(instance.submit(submission, start)).rejects.toThrow("full");
    });
    await record(stub, scan(), scan({ at: start + 1, visitor: "00000000000000bb" }));
    expect((await stub.listScans(scan().qrId, 1)).stats).toEqual({ total: 2, uniqueVisitors: 0 });
    expect(await count(stub, "visitors")).toBe(0);
  });
});
