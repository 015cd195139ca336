import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { exportScans } from "../../../src/domain/scans/export.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { bounds } from "../../../src/protocol/bounds.ts";
import { Service } from "../service.ts";
import { reportOf, type Stub } from "./analytics.ts";
import { resize, runAlarms, scansFrom } from "./archives.ts";
import { packed } from "./scans.ts";

export const hour = 60 * 60 * 1000;
export const day = 24 * hour;
/** In the future, so that alarms fire only when a test runs them. */
export const may = Date.UTC(2100, 4, 10);
export const now = may + 40 * day;
export const later = now + 2 * hour;
const dates = { from: "2100-05-01", to: "2100-07-31" };
const dimensions = ["city", "browser", "referrer", "hourOfWeek", "code"] as const;
export const modes = ["keep", "erase"] as const;
export type Mode = (typeof modes)[number];

export const newLedger = () => env.LEDGERS.get(env.LEDGERS.idFromName(crypto.randomUUID()));
export const hash = "00000000";
export const erase = (stub: Stub, qrId: string, sums: Mode, at = now) =>
  stub.eraseScans({ qrId, hash, sums }, at);
export const record = (stub: Stub, at: number, ...scans: ScanRecord[]) =>
  stub.recordScans(packed(...scans), at);

/** Returns scans of two codes from May on, with bots, some of them in the same minutes. */
export const both = (count: number): ScanRecord[] => [
  ...scansFrom(may, count, { qrId: "gone", city: "Bonn", referrer: "example.com" }),
  ...scansFrom(may, count, { qrId: "stays" }),
  ...scansFrom(may, 20, { qrId: "gone", prefetch: true }),
  ...scansFrom(may, 10, { qrId: "stays", prefetch: true }),
];

/** So many scans of a code that some are archived, since its newest stay. */
export const archivable = bounds.rawScans.newestOfCode + 20;

export const own = (scans: readonly ScanRecord[], qrId: string, prefetch = false) =>
  scans.filter((one) => one.qrId === qrId && one.prefetch === prefetch);
export const idsOf = (scans: readonly { id: string }[]) => scans.map(({ id }) => id).sort();

/** Returns the ids in the export of all codes. */
export async function exported(stub: Stub): Promise<string[]> {
  const { deps } = new Service({ now: () => later });
  const owner = { workspaceId: stub.name ?? "" } as Parameters<typeof exportScans>[1];
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of await exportScans(deps, owner, { format: "ndjson", kind: "human" })) {
    text += typeof part === "string" ? part : decoder.decode(part);
  }
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { id: string }).id);
}

/** Returns the reports of the codes and of the workspace, without the workspace's visitors, which would differ. */
export async function reports(stub: Stub) {
  const [gone, stays, all] = await Promise.all(
    [["gone"], ["stays"], null].map((qrIds) => reportOf(stub, { ...dates, qrIds, dimensions }, later)),
  );
  if (gone === undefined || stays === undefined || all === undefined) throw new Error("no report");
  return { gone, stays, all };
}

/** Expects the workspace's data to equal the remaining code's. */
export async function expectGone(stub: Stub): Promise<void> {
  const { gone, stays, all } = await reports(stub);
  expect(gone.totals).toEqual({
    scans: 0,
    newVisitors: 0,
    botScans: 0,
    visitors: { count: 0, exact: true, error: null },
  });
  expect(gone.allTime).toEqual({ scans: 0, visitors: 0 });
  expect(gone.dimensions.city?.items).toEqual([]);
  const { visitors: _, ...totals } = all.totals;
  expect(totals).toEqual({ scans: stays.totals.scans, newVisitors: stays.totals.newVisitors, botScans: 10 });
  expect(all.dimensions).toEqual(stays.dimensions);
  expect(all.series.map(({ scans, botScans }) => [scans, botScans])).toEqual(
    stays.series.map(({ scans, botScans }) => [scans, botScans]),
  );
  expect(all.allTime.scans).toBe(stays.allTime.scans);
  expect(await stub.countScans()).toBe(stays.totals.scans);
}

export const list = (stub: Stub, qrId: string) => stub.listScans(qrId, 5000);
export const pending = async (stub: Stub) => (await stub.storage()).erasures;

/** Archives scans older than thirty days. */
export async function archiveOld(stub: Stub, at = now): Promise<void> {
  await resize(stub, bounds.ledger.high);
  await stub.changeReporting({}, at);
  await runAlarms(stub, at);
  await resize(stub, 1e6);
}
