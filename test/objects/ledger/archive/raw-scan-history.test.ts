import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { exportScans } from "../../../../src/domain/scans/export.ts";
import type { ScanRecord } from "../../../../src/edge/scans/pack.ts";
import { timeOfId } from "../../../../src/lib/text/ids.ts";
import { formatDay, parseDay } from "../../../../src/lib/time/calendar.ts";
import { Zone } from "../../../../src/lib/time/zone.ts";
import { bounds } from "../../../../src/protocol/bounds.ts";
import { runs } from "../../../support/runner/runs.ts";
import { SeededRandom } from "../../../support/runner/seeded-random.ts";
import { reportOf, scan, visitor } from "../../../support/scans/analytics.ts";
import {
  archiveKeys,
  readArchive,
  resize,
  rowsOf,
  runAlarms,
  withBucket,
} from "../../../support/scans/archives.ts";
import { packed } from "../../../support/scans/scans.ts";
import { Service } from "../../../support/service.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** In the future, so that alarms fire only when a test runs them. */
const start = Date.UTC(2100, 0, 1);
const zones = [
  "UTC",
  "Asia/Kathmandu",
  "America/New_York",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
] as const;
const codes = ["hot", "hot", "hot", "hot", "hot", "hot", "warm", "quiet"] as const;

/** Events that the worlds came across. */
const seen = { archived: 0, copied: 0, keep: 0, erase: 0 };

/** A ledger, and what was recorded in it. */
class World {
  readonly random: SeededRandom;
  readonly workspaceId = crypto.randomUUID();
  readonly stub = env.LEDGERS.get(env.LEDGERS.idFromName(this.workspaceId));
  readonly scans = new Map<string, ScanRecord>();
  /** Ids of scans that a full ledger did not store. */
  readonly unstored = new Set<string>();
  now = start;
  /** Scans that were erased, as far as the ledger is to recognise them. */
  readonly erased = new Set<ScanRecord>();
  /** Codes by the time from which their scans count, and are stored. */
  readonly countedFrom = new Map<string, number>();
  readonly storedFrom = new Map<string, number>();
  isFull = false;
  keptDays: number | null = null;

  constructor(seed: number) {
    this.random = new SeededRandom(seed);
  }

  async step(): Promise<string> {
    const { random, stub } = this;
    switch (random.below(13)) {
      case 0:
      case 1:
      case 2:
        return this.record(10 + random.below(40));
      case 3:
        return this.record(700 + random.below(700));
      case 4:
      case 5:
        this.now += (1 + random.below(60)) * day + random.below(day);
        return `time passes until ${new Date(this.now).toISOString()}`;
      case 6: {
        const alarms = 1 + random.below(6);
        for (let i = 0; i < alarms; i += 1) await this.runAlarm();
        return `${alarms} alarms`;
      }
      case 7:
        await this.settle();
        return "all alarms";
      case 8: {
        const timeZone = random.pick(zones);
        await stub.changeReporting({ timeZone }, this.now);
        return `zone ${timeZone}`;
      }
      case 9:
        this.keptDays = random.pick([30, 90, 365, null, null]);
        await stub.changeReporting({ keepScansDays: this.keptDays as 30 }, this.now);
        return `scans are kept for ${this.keptDays} days`;
      case 10: {
        const bytes = random.pick([1e6, bounds.ledger.high, bounds.ledger.high, bounds.ledger.full]);
        await resize(stub, bytes);
        this.isFull = bytes === bounds.ledger.full;
        return `size ${bytes}`;
      }
      case 11:
        return this.erase(random.pick(codes), random.pick(["keep", "erase"]));
      default: {
        await evictDurableObject(stub);
        this.isFull = false;
        const fails = random.below(3) === 0;
        if (fails) {
          const fail = () => Promise.reject(new Error("R2 is down"));
          await withBucket(stub, () => ({ put: fail, get: fail, delete: fail }));
        }
        return fails ? "evicted, and R2 fails" : "evicted";
      }
    }
  }

  async record(count: number): Promise<string> {
    const { random } = this;
    const made = Array.from({ length: count }, () => {
      const age = random.below(5) === 0 ? random.below(13 * day) : random.below(2 * day);
      return scan({
        at: Math.max(start, this.now - age),
        qrId: random.pick(codes),
        visitor: visitor(random.below(300)),
        city: random.pick(["Köln", "Bonn", null]),
        referrer: random.pick(["example.com", null]),
        prefetch: random.below(6) === 0,
      });
    });
    const recent = [...this.scans.values()].filter(
      ({ id }) => timeOfId(id) > this.now - 14 * day && !this.unstored.has(id),
    );
    const erased = [...this.erased].filter(({ id }) => timeOfId(id) > this.now - 14 * day);
    const repeated = [...recent, ...erased].filter(() => random.below(10) === 0);
    await this.stub.recordScans(packed(...made, ...repeated), this.now);
    // A full ledger forgets the ids of scans that it has no rows of.
    if (this.isFull) this.erased.clear();
    for (const one of made) {
      const time = timeOfId(one.id);
      if (time < (this.countedFrom.get(one.qrId) ?? 0)) continue;
      this.scans.set(one.id, one);
      if (this.isFull || time < (this.storedFrom.get(one.qrId) ?? 0)) this.unstored.add(one.id);
    }
    return `${count} scans, ${repeated.length} again${this.isFull ? ", not stored" : ""}`;
  }

  /** Erases the scans of a code. */
  async erase(qrId: string, sums: "keep" | "erase"): Promise<string> {
    await this.stub.eraseScans({ qrId, hash: "00000000", sums }, this.now);
    const own = [...this.scans.values()].filter((one) => one.qrId === qrId);
    this.storedFrom.set(qrId, this.now + 1);
    if (sums === "erase") this.countedFrom.set(qrId, this.now + 1);
    for (const one of own) {
      if (sums === "erase") this.scans.delete(one.id);
      if (sums === "erase" || !this.unstored.has(one.id)) this.erased.add(one);
      this.unstored.add(one.id);
    }
    if (own.length > 0) seen[sums] += 1;
    return `the scans of ${qrId} are erased, sums: ${sums}`;
  }

  async runAlarm(): Promise<void> {
    const at = await runInDurableObject(this.stub, (_, { storage }) => storage.getAlarm());
    if (at !== null && at <= this.now) await runDurableObjectAlarm(this.stub);
  }

  /** Runs the alarms until nothing is left to do, with R2 working. */
  async settle(): Promise<void> {
    await withBucket(this.stub, () => ({}));
    this.now += 2 * 60 * minute;
    await runAlarms(this.stub, this.now);
  }

  /** Compares reports and the export with what was recorded. */
  async check(): Promise<void> {
    const { stub } = this;
    const all = [...this.scans.values()];
    const range = { from: "2099-12-30", to: formatDay(Math.floor(this.now / day) + 2) };
    for (const qrIds of [null, ["hot"], ["warm"], ["quiet"]] as const) {
      const own = all.filter(({ qrId }) => qrIds === null || qrIds[0] === qrId);
      const humans = own.filter(({ prefetch }) => !prefetch);
      const report = await reportOf(
        stub,
        { ...range, qrIds, interval: "day", dimensions: ["city", "referrer", "hourOfWeek"] },
        this.now,
      );
      expect(report.totals.scans).toBe(humans.length);
      expect(report.totals.botScans).toBe(own.length - humans.length);
      const visitors = new Set(humans.map((one) => `${one.qrId}/${one.visitor}`));
      expect(report.totals.newVisitors).toBe(visitors.size);
      expect(report.allTime.scans).toBe(humans.length);
      for (const dimension of Object.values(report.dimensions)) {
        const sum = dimension.items.reduce((total, item) => total + item.scans, dimension.other?.scans ?? 0);
        expect(sum).toBe(humans.length);
      }
      if (qrIds !== null) await this.checkList(qrIds[0], humans);
      const zone = new Zone(report.timeZone);
      const { otherTimeZoneUntil } = report.incomplete;
      const ownFrom = otherTimeZoneUntil === null ? 0 : parseDay(otherTimeZoneUntil) + 1;
      const days = Map.groupBy(humans, ({ id }) => zone.dayOf(timeOfId(id)));
      for (const { start: at, scans } of report.series) {
        const reported = parseDay(at.slice(0, 10));
        if (reported >= ownFrom) expect([at, scans]).toEqual([at, days.get(reported)?.length ?? 0]);
      }
    }
    const { from } = await stub.exportSources({ from: 0, until: this.now + 1, after: null }, this.now);
    const kept = all
      .filter(({ id, prefetch }) => !prefetch && timeOfId(id) >= from && !this.unstored.has(id))
      .map(({ id }) => id)
      .sort();
    expect(await this.exported()).toEqual(kept);
  }

  /** Compares the list of a code's scans with those that were counted. */
  async checkList(qrId: string, humans: readonly ScanRecord[]): Promise<void> {
    const { stats, events } = await this.stub.listScans(qrId, bounds.listedScans);
    const visitors = new Set(humans.map((one) => one.visitor));
    expect(stats).toEqual({ total: humans.length, uniqueVisitors: visitors.size });
    const stored = humans.map(({ id }) => id).filter((id) => !this.unstored.has(id));
    expect(events.map(({ id }) => id).filter((id) => !stored.includes(id))).toEqual([]);
  }

  async exported(): Promise<string[]> {
    const { deps } = new Service({ now: () => this.now });
    const owner = { workspaceId: this.workspaceId } as Parameters<typeof exportScans>[1];
    let text = "";
    const decoder = new TextDecoder();
    for await (const part of await exportScans(deps, owner, { format: "ndjson", kind: "human" })) {
      text += typeof part === "string" ? part : decoder.decode(part);
    }
    const lines = text.split("\n").filter((line) => line !== "");
    return lines.map((line) => (JSON.parse(line) as { id: string }).id);
  }

  /** Compares what is stored with what is to be, once nothing is left to do. */
  async checkSettled(): Promise<void> {
    const { stub, keptDays } = this;
    expect((await stub.storage()).erasures).toBe(0);
    const { from } = await stub.exportSources({ from: 0, until: this.now + 1, after: null }, this.now);
    // At any time, what is older than the days that are kept is not shown.
    const keptFrom = keptDays === null ? 0 : (Math.floor(this.now / day) - keptDays) * day;
    expect(from).toBeGreaterThanOrEqual(keptFrom);
    const files = await Promise.all((await archiveKeys(stub)).map(readArchive));
    const lines = files.flat();
    expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    const stored = (await rowsOf(stub, "scans")) + (await rowsOf(stub, "bot_scans"));
    seen.archived += lines.length;
    seen.copied += await runInDurableObject(
      stub,
      (_, { storage }) =>
        storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM rollups WHERE zone IS NOT NULL").one().n,
    );
    const expired = lines.filter(({ id }) => timeOfId(id) < from).length;
    const kept = [...this.scans.keys()].filter((id) => timeOfId(id) >= from && !this.unstored.has(id));
    expect(lines.length - expired + stored).toBe(kept.length);
    for (const file of files) {
      expect(timeOfId(file.at(-1)?.id ?? "")).toBeGreaterThanOrEqual(keptFrom);
    }
  }
}

it.each(Array.from({ length: runs(2, 60) }, (_, seed) => [seed + 1]))(
  "reports and exports are exact, whatever is folded, archived, deleted or rebuilt, in any order (seed %i)",
  async (seed) => {
    const world = new World(seed);
    const steps: string[] = [];
    try {
      steps.push(await world.record(100));
      for (let i = 0; i < 40; i += 1) {
        steps.push(await world.step());
        if (i % runs(4, 1) === 0) await world.check();
      }
      await world.settle();
      await world.check();
      await world.checkSettled();
    } catch (error) {
      throw new Error(`after:\n${steps.join("\n")}`, { cause: error });
    }
  },
);

it("these worlds have archived scans, days of earlier zones, and erased scans", () => {
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
});
