import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Qr } from "../../../src/contract/resources/codes/qr.ts";
import {
  Analytics,
  type AnalyticsQuery,
  Dimension,
  ReportingSettings,
} from "../../../src/contract/resources/scans/analytics.ts";
import { type ScanEvent, ScanListResponse } from "../../../src/contract/resources/scans/scans.ts";
import type { ScanRecord } from "../../../src/edge/scans/pack.ts";
import { runs } from "../../support/runner/runs.ts";
import { CountedScans, dayAfter, userAgents, wallClock } from "../../support/scans/counted-scans.ts";
import { settingsPath, settledReporting } from "../../support/scans/reporting.ts";
import { dayLength, history, type Query, type Step } from "../../support/scans/scan-histories.ts";
import { packed, scanRecord } from "../../support/scans/scans.ts";
import { type Client, Service, type SessionClient } from "../../support/service.ts";

/**
 * Everything that is said about scans agrees: the totals of a report, its series, each of its dimensions, the statistics
 * of codes, the export, and counting the scans one by one. Scans are random, around changes of the clocks; they are
 * recorded twice, late, and before and after changes of the time zone, which fold all scans that are there.
 */

const service = new Service();

/**
 * Keeps old scans in the ledger: a bot's scan that has been archived is not recognised when it arrives again, which no
 * scan does after so long.
 */
const keepRows = (workspaceId: string) =>
  runInDurableObject(env.LEDGERS.get(env.LEDGERS.idFromName(workspaceId)), (_, { storage }) => {
    const never = Date.UTC(2180, 0, 1);
    storage.kv.put("archives_failure", { since: never, retryAt: never });
  });

/** A workspace with three codes, of which two have a tag, whose scans are also counted by the test. */
class Counting {
  readonly client: Client;
  readonly session: SessionClient;
  readonly codes: readonly Qr[];
  readonly change: string;
  readonly counted = new CountedScans();
  readonly #recorded: ScanRecord[] = [];

  private constructor(client: Client, session: SessionClient, codes: readonly Qr[], change: string) {
    this.client = client;
    this.session = session;
    this.codes = codes;
    this.change = change;
  }

  static async start(change: string): Promise<Counting> {
    const client = await service.workspace();
    await keepRows(client.workspaceId);
    const codes = [
      await client.createQr({ name: "One", tags: ["both"] }),
      await client.createQr({ tags: ["both"] }),
      await client.createQr({ name: "Three" }),
    ];
    return new Counting(client, await service.sessionIn(client.workspaceId), codes, change);
  }

  async run(step: Step): Promise<void> {
    switch (step.do) {
      case "record":
        return this.#record(
          step.scans.map(({ code, at, visitor, agent, place: [country, city], ...fields }) => {
            const { id: qrId, hash } = this.codes[code] as Qr;
            const { workspaceId } = this.client;
            const userAgent = userAgents[agent] ?? null;
            const time = Date.parse(this.change) + at;
            const own = {
              workspaceId,
              qrId,
              hash,
              at: time,
              userAgent,
              country,
              city,
              visitor: `00000000000000a${visitor}`,
            };
            return scanRecord({ ...fields, ...own });
          }),
        );
      case "repeat":
        return this.#record(this.#recorded.slice(step.first));
      case "changeZone":
        return this.#changeZone(step.zone);
    }
  }

  async #record(scans: readonly ScanRecord[]): Promise<void> {
    await service.deps.ledger(this.client.workspaceId).recordScans(packed(...scans), Date.now());
    this.counted.record(scans);
    this.#recorded.push(...scans);
  }

  async #changeZone(timeZone: string): Promise<void> {
    await this.session.expect(200, ReportingSettings, "PATCH", settingsPath, { timeZone });
    const settings = await settledReporting(this.session);
    expect(settings.timeZone).toBe(timeZone);
  }

  report(scope: number, query: Partial<AnalyticsQuery>): Promise<Analytics> {
    const { dimensions = [], ...fields } = query;
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const params = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    params.set("dimensions", dimensions.filter((name) => scope > 2 || name !== "code").join(","));
    if (scope === 3) params.set("tag", "both");
    const path = scope > 2 ? "/analytics" : `/qr/${this.codes[scope]?.id}/analytics`;
    return this.client.expect(200, Analytics.strict(), "GET", `${path}?${params}`);
  }

  /** The ids of the codes that a report is on. */
  idsOf(scope: number): string[] {
    const codes = scope > 2 ? this.codes.slice(0, scope === 3 ? 2 : 3) : this.codes.slice(scope, scope + 1);
    return codes.map(({ id }) => id);
  }

  async check({ scope, first, days, ...options }: Query): Promise<void> {
    const from = dayAfter(this.change, first);
    const to = dayAfter(from, days - 1);
    const report = await this.report(scope, { ...options, from, to });
    const ids = this.idsOf(scope);
    expect(report).toMatchObject({ from, to, interval: options.interval, rebuilding: null });
    expect(report.incomplete).toEqual({
      otherTimeZoneUntil: null,
      daysWithoutVisitors: 0,
      visitorsChangedOn: null,
    });
    expect({ totals: report.totals, series: report.series }).toEqual(this.counted.sums(report, ids));
    const added = report.series.reduce((sum, { scans }) => sum + scans, 0);
    expect(added).toBe(report.totals.scans);
    const exported = (await this.#exported()).filter(({ qrId, scannedAt }) => {
      const { day } = wallClock(report.timeZone)(Date.parse(scannedAt));
      return ids.includes(qrId) && from <= day && day <= to;
    });
    expect(exported).toHaveLength(report.totals.scans);
    for (const dimension of Dimension.options) this.#checkDimension(report, ids, dimension, options.limit);
    await this.#checkComparison(report, scope, options);
  }

  #checkDimension(report: Analytics, ids: readonly string[], dimension: Dimension, limit: number): void {
    const shown = report.dimensions[dimension];
    if (shown === undefined) return;
    const { items, other } = shown;
    const added = items.reduce((sum, { scans }) => sum + scans, other.scans);
    expect({ dimension, added }).toEqual({ dimension, added: report.totals.scans });
    const counts = this.counted.counts(report, ids, dimension);
    for (const { value, country, scans } of items) {
      const key = dimension === "city" ? [value, country] : [value];
      expect(scans).toBe(counts.get(JSON.stringify(key)) ?? 0);
    }
    if (dimension === "hourOfWeek") {
      expect(items.map(({ value }) => value)).toEqual([...Array(168).keys()].map(String));
      expect(other.values).toBe(0);
      return;
    }
    const most = [...counts.values()].sort((a, b) => b - a);
    expect(items.map(({ scans }) => scans)).toEqual(most.slice(0, limit));
    expect(other.values).toBe(Math.max(0, most.length - limit));
    if (dimension !== "code") return;
    for (const { value, name, hash } of items) {
      expect(this.codes.find(({ id }) => id === value)).toMatchObject({ name, hash });
    }
  }

  async #checkComparison(
    report: Analytics,
    scope: number,
    { compare, interval }: Pick<Query, "compare" | "interval">,
  ) {
    if (compare === undefined) return expect(report.comparison).toBeNull();
    const { comparison } = report;
    const yearBefore = (day: string) => day.replace(/^\d+/, (year) => String(Number(year) - 1));
    const days = (Date.parse(report.to) - Date.parse(report.from)) / dayLength + 1;
    expect(comparison).toMatchObject(
      compare === "year"
        ? { from: yearBefore(report.from), to: yearBefore(report.to) }
        : { from: dayAfter(report.from, -days), to: dayAfter(report.from, -1) },
    );
    const { from, to, totals, series } = await this.report(scope, {
      interval,
      from: comparison?.from,
      to: comparison?.to,
    });
    expect(comparison).toEqual({ from, to, totals, series });
  }

  async #exported(): Promise<ScanEvent[]> {
    const response = await this.client.send("GET", "/scans/export?format=ndjson");
    const lines = (await response.text()).split("\n").filter((line) => line !== "");
    return lines.map((line) => JSON.parse(line) as ScanEvent);
  }

  /** All scans, and the statistics of each code. */
  async checkAllTime(): Promise<void> {
    const whole = { from: dayAfter(this.change, -8), to: dayAfter(this.change, 8) };
    let total = 0;
    for (const [scope, { id }] of this.codes.entries()) {
      const report = await this.report(scope, whole);
      const { stats } = await this.client.expect(200, ScanListResponse, "GET", `/qr/${id}/scans`);
      const humans = this.counted.humansOf([id]);
      const visitors = new Set(humans.map(({ visitor }) => visitor)).size;
      expect(report.allTime).toEqual({ scans: humans.length, visitors });
      expect(stats).toEqual({ total: humans.length, uniqueVisitors: visitors });
      expect(report.totals).toMatchObject({ scans: stats.total, newVisitors: visitors });
      total += stats.total;
    }
    const workspace = await this.report(4, whole);
    expect(workspace.totals.scans).toBe(total);
    expect(workspace.allTime).toEqual({ scans: total, visitors: null });
  }
}

it("reports agree with the statistics, the export and a count of single scans", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ change, steps, queries }) => {
      const counting = await Counting.start(change);
      for (const step of steps) await counting.run(step);
      for (const query of queries) await counting.check(query);
      await counting.checkAllTime();
    }),
    { numRuns: runs(2, 200), endOnFailure: true },
  );
});
