import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Analytics } from "../../../src/contract/resources/scans/analytics.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import type { AnalyticsRequest, AnalyticsResult } from "../../../src/protocol/analytics.ts";
import { packed, scanRecord } from "./scans.ts";

/** A ledger that reports. */
interface Reporting {
  analytics(request: AnalyticsRequest, now: number): AnalyticsResult | Promise<AnalyticsResult>;
}

/** Requests a ledger's report: of the workspace, by day and without dimensions, unless the request says otherwise. */
export async function reportOf(
  ledger: Reporting,
  request: Partial<AnalyticsRequest> = {},
  now = Date.UTC(2026, 0, 15, 12),
): Promise<Analytics> {
  const complete = { qrIds: null, interval: "day", dimensions: [], limit: 500, ...request } as const;
  const result = await ledger.analytics(complete, now);
  if ("problem" in result) throw new Error(`${result.field}: ${result.problem}`);
  return result;
}

/** Returns a new ledger. */
export const newLedger = () => env.LEDGERS.get(env.LEDGERS.newUniqueId());
export type Stub = ReturnType<typeof newLedger>;

/** In the future, so that alarms fire only when a test runs them. */
export const start = Date.UTC(2100, 0, 10);
export const hour = 60 * 60 * 1000;
/** The month of the scans. */
export const dates = { from: "2100-01-01", to: "2100-01-31" };

/** A scan at `start`. */
export const scan = (overrides: Parameters<typeof scanRecord>[0] = {}) =>
  scanRecord({ at: start, ...overrides });
export const record = (stub: Stub, ...scans: ScanRecord[]) => stub.recordScans(packed(...scans), start);

/** Returns a visitor by number. */
export const visitor = (n: number) => n.toString(16).padStart(16, "0");

/** Returns scans a minute apart, by a few visitors. */
export const many = (count: number, from = 0): ScanRecord[] =>
  Array.from({ length: count }, (_, i) =>
    scan({ at: start + (from + i) * 60_000, visitor: visitor((from + i) % 50) }),
  );

/** Runs the alarm until all due scans are folded. @returns how often it ran */
export async function fold(stub: Stub): Promise<number> {
  let runs = 0;
  while (await hasAlarm(stub)) {
    await runDurableObjectAlarm(stub);
    runs += 1;
    if (runs > 1000) throw new Error("the ledger never ends folding");
  }
  return runs;
}

/** Returns whether there is something to fold, now or soon. Archiving and copies of totals also set alarms, later. */
export const hasAlarm = (stub: Stub) =>
  runInDurableObject(stub, async (_, { storage }) => {
    const at = await storage.getAlarm();
    return at !== null && at < start + hour;
  });

/** Stores scans of one code, evenly over the year 2100, and folds them. @param code that of `scan` by default */
export async function fillYear(stub: Stub, count: number, code: Partial<ScanRecord> = {}): Promise<void> {
  await record(stub, scan({ ...code, at: Date.UTC(2100, 0, 1) }));
  const step = Math.floor((365 * 24 * hour) / count);
  await runInDurableObject(stub, (_, { storage }) => {
    storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO scans (id, code, agent, place, visitor)
       SELECT unhex(printf('%012x7000800000%010x', ? + i * ?, i)), 1, 1, 1, unhex(printf('%016x', i % 100)) FROM n`,
      count - 2,
      Date.UTC(2100, 0, 1),
      step,
    );
  });
  // Restarted, because it counts them when it starts.
  await evictDurableObject(stub);
  await record(stub, scan({ ...code, at: Date.UTC(2100, 11, 31) }));
  await fold(stub);
}
