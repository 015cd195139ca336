import { finished } from "./jobs.ts";
import { JsonText, type Transport } from "./transport.ts";
import type { Answer, BulkJob, Parts, QrInput, RequestOptions, Schema } from "./types.ts";

/** How far a run is. */
export interface BulkProgress {
  /** Rows that have been read, sent or not. */
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Begun so far. The last is the one in progress: `bulk.wait` and `history.undoJob` take its `jobId`. */
  readonly jobs: readonly BulkJob[];
}

/** The result of a row. */
export interface RowResult {
  /** Its place among all rows, from 0. */
  readonly index: number;
  readonly row: QrInput;
  readonly jobId: string;
  readonly succeeded: boolean;
  /** Why it failed. */
  readonly error: string | null;
  /** Its code; null if it failed. */
  readonly id: string | null;
  readonly hash: string | null;
  readonly scanUrl: string | null;
  /** With `upsert`, whether a code that was there was changed. */
  readonly changed: boolean | null;
}

/** How rows are sent. */
export interface BulkRunOptions extends RequestOptions {
  /** Changes the codes whose own id a row has, and creates the others. Such a run can be repeated at any time. */
  upsert?: "externalId" | undefined;
  /**
   * Names the run. If it breaks off, run the same rows with the same key within 24 hours: jobs that were begun go on,
   * and no row is created twice. Random if you say nothing.
   */
  idempotencyKey?: string | undefined;
  /** Called as jobs begin and progress. */
  onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/** The bytes that the service takes in the body of a job: for each row that the plan allows, and in all. */
const bytesPerRow = 65_536;
const bytesPerJob = 16_777_216;

/** Rows that are sent as one job. */
interface Slice {
  /** The place of its first row. */
  readonly start: number;
  readonly rows: readonly QrInput[];
  readonly body: string;
}

/** A run of `bulk.run`: `for await` yields the result of each row, `await` returns all. Runs once, when it is used. */
export class BulkRun implements AsyncIterable<RowResult>, PromiseLike<RowResult[]> {
  readonly #transport: Transport;
  readonly #rowsPerJob: () => Promise<number>;
  readonly #rows: Iterable<QrInput> | AsyncIterable<QrInput>;
  readonly #options: BulkRunOptions;

  /** @internal */
  constructor(
    transport: Transport,
    rowsPerJob: () => Promise<number>,
    rows: Iterable<QrInput> | AsyncIterable<QrInput>,
    options: BulkRunOptions,
  ) {
    this.#transport = transport;
    this.#rowsPerJob = rowsPerJob;
    this.#rows = rows;
    this.#options = { idempotencyKey: crypto.randomUUID(), ...options };
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a run returns the results of all rows.
  then<Result = RowResult[], Failure = never>(
    onResults?: ((results: RowResult[]) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    return this.#all().then(onResults, onError);
  }

  async #all(): Promise<RowResult[]> {
    const results: RowResult[] = [];
    for await (const result of this) results.push(result);
    return results;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RowResult, void, undefined> {
    const { upsert, idempotencyKey, onProgress, ...options } = this.#options;
    const query = upsert === undefined ? {} : { upsert };
    const jobs: BulkJob[] = [];
    const report = (rows: number) =>
      onProgress?.({
        rows,
        succeeded: sum(jobs, ({ successCount }) => successCount),
        failed: sum(jobs, ({ failureCount }) => failureCount),
        jobs: [...jobs],
      });

    for await (const { start, rows, body } of slices(this.#rows, await this.#rowsPerJob())) {
      const parts = { query, body: new JsonText(body) } as unknown as Parts<"createBulk">;
      const key = { ...options, idempotencyKey: `${idempotencyKey}/${jobs.length + 1}` };
      const { jobId } = await this.#transport.json<"createBulk", 202>("createBulk", parts, key);
      const place = jobs.length;
      const read = (items: "none" | "all"): Promise<Answer<"getBulk">> =>
        this.#transport.json("getBulk", { path: { jobId }, query: { items } }, options);
      const ended = await finished(() => read("none"), {
        signal: options.signal,
        onProgress(job) {
          jobs[place] = job;
          report(start + rows.length);
        },
      });
      const { items } = await read("all");
      const byIndex = new Map(items.map((item) => [item.rowIndex, item]));
      for (const [index, row] of rows.entries()) {
        yield { index: start + index, row, jobId, ...resultOf(byIndex.get(index), ended) };
      }
    }
  }
}

function resultOf(item: Schema<"BulkItem"> | undefined, job: BulkJob) {
  const succeeded = item?.status === "succeeded";
  return {
    succeeded,
    error: succeeded
      ? null
      : (item?.error ?? job.error ?? "The service keeps no result of this row any more."),
    id: item?.createdQrId ?? item?.qrId ?? null,
    hash: item?.createdQrHash ?? item?.qrHash ?? null,
    scanUrl: item?.scanUrl ?? null,
    changed: item?.changed ?? null,
  };
}

const sum = (jobs: readonly BulkJob[], count: (job: BulkJob) => number) =>
  jobs.reduce((total, job) => total + count(job), 0);

/** Splits rows into bodies of jobs. @param most rows in each */
export async function* slices(
  rows: Iterable<QrInput> | AsyncIterable<QrInput>,
  most: number,
): AsyncGenerator<Slice, void, undefined> {
  const encoder = new TextEncoder();
  const [before, after] = ['{"items":[', "]}"];
  const mostBytes = Math.min(bytesPerJob, bytesPerRow * most) - before.length - after.length;
  let [start, bytes] = [0, 0];
  let slice: QrInput[] = [];
  let texts: string[] = [];
  const end = (): Slice => ({ start, rows: slice, body: before + texts.join(",") + after });
  for await (const row of rows) {
    const text = JSON.stringify(row);
    const size = encoder.encode(text).length + 1;
    if (slice.length > 0 && (slice.length >= most || bytes + size > mostBytes)) {
      yield end();
      start += slice.length;
      [slice, texts, bytes] = [[], [], 0];
    }
    slice.push(row);
    texts.push(text);
    bytes += size;
  }
  if (slice.length > 0) yield end();
}
