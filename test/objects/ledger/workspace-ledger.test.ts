import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../../src/lib/text/ids.ts";
import { LedgerParts } from "../../../src/objects/ledger/parts.ts";
import { LedgerExport } from "../../../src/objects/ledger/reading/export.ts";
import { countRows } from "../../support/catalogue/sql-rows.ts";
import { runs } from "../../support/runner/runs.ts";
import { reportOf } from "../../support/scans/analytics.ts";
import { packed, scanRecord as scan } from "../../support/scans/scans.ts";
import { phone } from "../../support/service.ts";

const ledger = (name: string) => env.LEDGERS.get(env.LEDGERS.idFromName(name));
const start = Date.UTC(2026, 0, 1);

it("counts a scan once, however often and with whichever other scans it is delivered", async () => {
  const stub = ledger("twice");
  const [a, b, c] = [scan(), scan({ visitor: "00000000000000bb" }), scan({ at: start + 1 })];
  await stub.recordScans(packed(a, b), start);
  await stub.recordScans(packed(a, b), start);
  await stub.recordScans(packed(b, c, c, a), start);
  await Promise.all([stub.recordScans(packed(a, c), start), stub.recordScans(packed(c, b), start)]);
  const { stats, events } = await stub.listScans(a.qrId, 50);
  expect(stats).toEqual({ total: 3, uniqueVisitors: 2 });
  expect(events.map((event) => event.id)).toEqual([c.id, ...[a.id, b.id].sort().reverse()]);
});

it("keeps bot scans apart and counts them once too", async () => {
  const stub = ledger("bots");
  const bot = scan({ userAgent: "Googlebot/2.1" });
  const prefetch = scan({ prefetch: true });
  for (let i = 0; i < 2; i += 1)
    await stub.recordScans(
      packed(bot, prefetch, scan({ id: "01900000-0000-7000-8000-000000000001" })),
      start,
    );
  expect((await stub.listScans(bot.qrId, 50)).stats).toEqual({ total: 1, uniqueVisitors: 1 });
  const report = await reportOf(stub, { from: "2024-01-01", to: "2026-01-01" });
  expect(report.totals).toMatchObject({ scans: 1, botScans: 2 });
});

it("records all scans of a message or none", async () => {
  const stub = ledger("atomic");
  const good = scan();
  const bad = scan({ visitor: "no hexadecimal digits", qrId: good.qrId });
  await runInDurableObject(stub, async (instance) => {
    await expect(instance.recordScans(packed(good, bad), start)).rejects.toThrow();
  });
  expect((await stub.listScans(good.qrId, 50)).stats.total).toBe(0);
  await stub.recordScans(packed(good), start);
  expect((await stub.listScans(good.qrId, 50)).stats.total).toBe(1);
});

it("loses nothing when it is evicted", async () => {
  const stub = ledger("evicted");
  await stub.recordScans(packed(scan({ country: null, city: null, userAgent: null })), start);
  await evictDurableObject(stub);
  await stub.recordScans(packed(scan({ at: start + 1 })), start);
  const { stats, events } = await stub.listScans(scan().qrId, 50);
  expect(stats).toEqual({ total: 2, uniqueVisitors: 1 });
  expect(events[1]).toMatchObject({ country: null, city: null, device: null, os: null, userAgent: null });
});

/** The rows that SQLite reads for one code's newest 50 scans. */
async function rowsRead(name: string, qrId: string): Promise<number> {
  const { read } = await countRows(ledger(name), (instance) =>
    expect(instance.listScans(qrId, 50).events).toHaveLength(50),
  );
  return read;
}

it("reads as many rows for a code's newest scans among very many as among 1000", async () => {
  const many = runs(100_000, 3_000_000);
  const { qrId } = scan();
  const other = "01900000-0000-7000-8000-0000000000bb";
  for (const [name, scans] of [
    ["small", 1000],
    ["large", many],
  ] as const) {
    await ledger(name).recordScans(packed(scan(), scan({ qrId: other })), start);
    await runInDurableObject(ledger(name), (_, state) => {
      // Two codes share the scans, so that reading those of one needs the index.
      state.storage.sql.exec(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO scans (id, code, agent, place)
         SELECT unhex(printf('%012x7000800000%010x', ? + i, i)), 1 + i % 2, 1, 1 FROM n`,
        scans,
        start,
      );
      state.storage.sql.exec("UPDATE codes SET scans = ?", scans / 2 + 1);
    });
  }
  const [small, large] = [await rowsRead("small", qrId), await rowsRead("large", qrId)];
  expect(large).toBe(small);
  expect(large).toBeLessThanOrEqual(5 * 52 + 4);
  expect((await ledger("large").listScans(qrId, 1)).stats.total).toBe(many / 2 + 1);
});

it("takes at most 100 bytes per scan, indexes included, besides what scans share", async () => {
  const stub = ledger("bytes");
  const random = mulberry(7);
  const pick = (many: number) => Math.floor(random() ** 2 * many);
  // Fewer codes, places and user agents for fewer scans, so that most are known halfway.
  const kinds = runs(500, 1000);
  const codes = Array.from({ length: kinds }, (_, i) => ({ qrId: newId(start + i), hash: `h${i}` }));
  const scans = runs(10_000, 1_000_000);
  const size = () => runInDurableObject(stub, (_, state) => state.storage.sql.databaseSize);
  // In the future, so that no alarm folds scans into rollups.
  const now = Date.UTC(2100, 0, 1);
  let halfway = 0;
  const visitor = new Uint8Array(8);
  for (let sent = 0; sent < scans; sent += 1000) {
    const message = Array.from({ length: 1000 }, (_, i) => {
      // Two scans in three have a visitor who is new.
      if (random() < 2 / 3) crypto.getRandomValues(visitor);
      const place = pick(1.5 * kinds);
      return scan({
        ...codes[pick(kinds)],
        at: start + (sent + i) * 250 + Math.floor(random() * 2000),
        country: `C${place % 60}`,
        city: `City ${place}`,
        userAgent: `${phone} variant/${pick(2 * kinds)}`,
        visitor: visitor.toHex(),
      });
    });
    await stub.recordScans(packed(...message), now);
    if (sent + 1000 === scans / 2) halfway = await size();
  }
  expect(await stub.countScans()).toBe(scans);
  // By then the ledger has nearly all codes, user agents and places, whose number is bounded.
  const bytes = ((await size()) - halfway) / (scans / 2);
  console.log(`ledger: ${bytes.toFixed(1)} bytes per scan`);
  expect(bytes).toBeLessThanOrEqual(100);
});

/** Seeded random numbers in [0, 1), so that a run repeats. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

it("reads and sorts no more rows than it returns", async () => {
  const stub = ledger("plans");
  await stub.recordScans(packed(scan()), start);
  const steps = await runInDurableObject(stub, (_, state) => {
    const statements = new Set<string>();
    const recording = {
      exec: (sql: string, ...values: SqlStorageValue[]) => {
        statements.add(sql);
        return state.storage.sql.exec(sql, ...values);
      },
    } as unknown as SqlStorage;
    const range = { from: 0, until: start * 2, after: null };
    const page = { ...range, format: "csv", limit: 10, indexed: false } as const;
    const parts = new LedgerParts(state, () => env.FILES);
    const scans = new LedgerExport({ ...parts, sql: recording });
    scans.page({ ...page, qrId: null });
    scans.page({ ...page, qrId: scan().qrId });
    return [...statements].flatMap((sql) =>
      state.storage.sql
        .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...(sql.match(/\?/g) ?? []).map(() => null))
        .toArray()
        .map(({ detail }) => detail),
    );
  });
  expect(steps.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  expect(steps.length).toBeGreaterThan(4);
});
