import { describeError, log } from "../lib/log.ts";
import { addFigures, type Figures, noFigures } from "../store/operations/figures.ts";

/**
 * How long counts wait for more of the isolate. Less than the 30 s for which an invocation can go on after its response,
 * and long enough that a busy isolate writes three rows a minute.
 */
const waitMilliseconds = 20_000;

/** A wait that takes longer than this has been cancelled with its request. */
const cancelledMilliseconds = 60_000;

type Deferring = Pick<ExecutionContext, "waitUntil">;

/** An answered request. */
export interface CountedRequest {
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly workspaceId?: string | undefined;
}

/** Counts what an isolate does, for the operator. An isolate that dies loses what it has counted since its last write. */
export interface Counter {
  count(figures: Partial<Figures>, ctx: Deferring): void;
  /** Counts a request that is no scan. */
  countRequest(request: CountedRequest, ctx: Deferring): void;
}

/** Counts nothing, for tools and tests that wait for all that follows a response. */
export const uncounted: Counter = { count: () => {}, countRequest: () => {} };

/** The kind of a data point in Analytics Engine is its index. */
type DataPoints = Pick<AnalyticsEngineDataset, "writeDataPoint">;

interface Parts {
  readonly db: D1Database;
  now(): number;
  pause(milliseconds: number): Promise<void>;
  /** Undefined unless Analytics Engine is bound. */
  readonly points?: DataPoints | undefined;
}

/** Writes to the catalogue and, if it is bound, to Analytics Engine. */
export class StoredCounter implements Counter {
  readonly #parts: Parts;
  #pending: Figures = noFigures;
  #waitingSince: number | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  countRequest(request: CountedRequest, ctx: Deferring): void {
    const { route, status, ms, workspaceId = "" } = request;
    this.#parts.points?.writeDataPoint({
      indexes: ["request"],
      blobs: [route, String(status), workspaceId],
      doubles: [ms],
    });
    this.count({ requests: 1, failedRequests: status >= 500 ? 1 : 0 }, ctx);
  }

  count(figures: Partial<Figures>, ctx: Deferring): void {
    const sum = { ...this.#pending };
    for (const name of Object.keys(figures) as (keyof Figures)[]) sum[name] += figures[name] ?? 0;
    this.#pending = sum;
    const now = this.#parts.now();
    if (this.#waitingSince !== undefined && now - this.#waitingSince < cancelledMilliseconds) return;
    this.#waitingSince = now;
    ctx.waitUntil(this.#write());
  }

  async #write(): Promise<void> {
    await this.#parts.pause(waitMilliseconds);
    const figures = this.#pending;
    this.#pending = noFigures;
    this.#waitingSince = undefined;
    const { scans, deliveries, failedDeliveries } = figures;
    this.#parts.points?.writeDataPoint({
      indexes: ["counts"],
      doubles: [scans, deliveries, failedDeliveries],
    });
    try {
      await addFigures(this.#parts.db, this.#parts.now(), figures);
    } catch (error) {
      log("warn", "figures not stored", { error: describeError(error) });
    }
  }
}
