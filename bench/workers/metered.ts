// The service with a ledger that counts the rows it reads and writes, and can be filled without requests.
import service from "../../src/index.ts";
import { WorkspaceLedger as Ledger } from "../../src/objects/ledger/workspace-ledger.ts";
import type { AnalyticsRequest, AnalyticsResult } from "../../src/protocol/analytics.ts";
import { RowMeter } from "./row-meter.ts";
import { recordTraffic } from "./traffic.ts";
import { type RollupSizes, type ShapeName, shapes, type TrafficCost } from "./traffic-shapes.ts";

export { KeyMeter, RouteFeed } from "../../src/index.ts";

const day = 24 * 60 * 60 * 1000;
/** The two years whose scans `fill` inserts. In the future, so that no alarm fires by itself. */
const [start, end] = [Date.UTC(2099, 0, 1), Date.UTC(2101, 0, 1)];

export class WorkspaceLedger extends Ledger {
  readonly #meter: RowMeter;
  #reportRows = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#meter = new RowMeter(ctx.storage);
  }

  override analytics(request: AnalyticsRequest, now: number): AnalyticsResult {
    this.#meter.take();
    const result = super.analytics(request, now);
    this.#reportRows = this.#meter.take().read;
    return result;
  }

  /** Returns the rows that the last report read. */
  reportRows(): number {
    return this.#reportRows;
  }

  /**
   * Inserts scans of one code, each by a different visitor, evenly over the years 2099 and 2100, from 200 places, with
   * 50 user agents and 20 referrers, and folds them.
   */
  async fill(qrId: string, scans: number): Promise<void> {
    const { sql } = this.ctx.storage;
    const numbers = (count: number) =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
    sql.exec("INSERT INTO codes (qr_id, hash, scans, visitors) VALUES (?, '00000001', ?2, ?2)", qrId, scans);
    sql.exec(
      `${numbers(200)} INSERT INTO places (country, city) SELECT char(65 + i % 20, 65), 'City ' || i FROM n`,
    );
    sql.exec(
      `${numbers(12)} INSERT INTO clients (device, os, browser) SELECT 'mobile', 'OS ' || (i % 3), 'Browser ' || i FROM n`,
    );
    sql.exec(
      `${numbers(50)} INSERT INTO agents (user_agent, client, bot) SELECT 'Agent ' || i, 1 + i % 12, 0 FROM n`,
    );
    sql.exec(`${numbers(20)} INSERT INTO referrers (host) SELECT i || '.example.com' FROM n`);
    sql.exec(
      `${numbers(scans)} INSERT INTO scans (id, code, agent, place, referrer, visitor, first)
       SELECT unhex(printf('%012x7000800000%010x', ?1 + (i - 1) * ?2, i)), 1, 1 + i % 50, 1 + i % 200, i % 21,
         randomblob(8), 1 FROM n`,
      start,
      Math.floor((end - start) / scans),
    );
    // Prevents older scans from being archived, which is not being measured.
    const never = Date.UTC(2180, 0, 1);
    this.ctx.storage.kv.put("archives_failure", { since: end, retryAt: never });
    await this.recordScans([], end);
    while (this.#meter.alarmAt !== null && this.#meter.alarmAt <= end) {
      this.#meter.alarmAt = null;
      await this.alarm();
    }
    this.#meter.take();
  }

  /** Records a part of a traffic's scans. */
  recordTraffic(shape: ShapeName, from: number, to: number): Promise<TrafficCost> {
    return recordTraffic(this, this.#meter, shapes[shape], from, to);
  }

  /** Returns the sizes of rollups of past days. */
  rollupSizes(days: number): RollupSizes {
    const { sql } = this.ctx.storage;
    const bytesOf = (condition: string) =>
      sql
        .exec<{ bytes: number }>(
          `SELECT avg(length(hours) + length(clients) + length(referrers) + length(places) + length(codes) +
             length(visitor_set)) AS bytes FROM rollups WHERE ${condition} AND day < ?`,
          Date.UTC(2100, 0, 10) / day + days,
        )
        .one().bytes;
    return { codeDay: bytesOf("code > 0"), workspaceDay: bytesOf("code = 0"), ledger: sql.databaseSize };
  }
}

type BenchEnv = Omit<Env, "LEDGERS"> & { LEDGERS: DurableObjectNamespace<WorkspaceLedger> };

/** Calls a method of a ledger: POST /bench/{ledger}/{method} with the arguments. */
async function call(request: Request, env: BenchEnv): Promise<Response> {
  const [, , name = "", method] = new URL(request.url).pathname.split("/");
  const ledger = env.LEDGERS.get(env.LEDGERS.idFromName(name));
  const values: unknown = await request.json();
  switch (method) {
    case "fill":
      await ledger.fill(...(values as Parameters<WorkspaceLedger["fill"]>));
      return Response.json(null);
    case "recordTraffic":
      return Response.json(
        await ledger.recordTraffic(...(values as Parameters<WorkspaceLedger["recordTraffic"]>)),
      );
    case "rollupSizes":
      return Response.json(
        await ledger.rollupSizes(...(values as Parameters<WorkspaceLedger["rollupSizes"]>)),
      );
    case "reportRows":
      return Response.json(await ledger.reportRows());
    default:
      return new Response(null, { status: 404 });
  }
}

export default {
  ...service,
  fetch: (request: Request, env: BenchEnv, ctx: ExecutionContext) =>
    new URL(request.url).pathname.startsWith("/bench/")
      ? call(request, env)
      : service.fetch?.(request as never, env as never, ctx),
};
