import { BulkRun, type BulkRunOptions } from "../bulk-run.ts";
import type { Download } from "../download.ts";
import { finished } from "../jobs.ts";
import type { List } from "../list.ts";
import type { Transport } from "../transport.ts";
import type {
  BulkCreationPreview,
  BulkJob,
  BulkJobWithItems,
  BulkPreview,
  BulkUpdate,
  CreateOptions,
  Csv,
  Me,
  QrInput,
  Query,
  RequestOptions,
  Schema,
} from "../types.ts";

/** How a job that creates codes treats those that are there. */
export interface BulkCreateOptions extends CreateOptions {
  /** Changes the codes whose own id a row has, and creates the others. */
  upsert?: "externalId" | undefined;
}

/** How a job treats codes that have changed since they were exported. */
export interface BulkUpdateOptions extends CreateOptions {
  /** Changes them anyway. For a CSV; other updates have `force` of their own. */
  force?: boolean | undefined;
}

/** In a query. */
const yes = "true";

const isItems = (input: Csv | readonly QrInput[]): input is readonly QrInput[] => Array.isArray(input);
const isTable = (input: Csv | BulkUpdate): input is Csv =>
  typeof input === "string" || input instanceof Uint8Array || input instanceof Blob;

/** Many codes at once. A job goes on in the service, whatever becomes of this program. */
export class Bulk {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates codes from any number of rows, and yields the result of each. Splits them by what the plan allows in a job,
   * and waits for each job. `await` it for all results at once.
   */
  run(rows: Iterable<QrInput> | AsyncIterable<QrInput>, options: BulkRunOptions = {}): BulkRun {
    const rowsPerJob = async () => {
      const me: Me = await this.#transport.json("getMe", {}, options);
      return me.workspace.limits.bulkRows;
    };
    return new BulkRun(this.#transport, rowsPerJob, rows, options);
  }

  /** Begins a job that creates codes, from a table or from items. */
  create(input: Csv | readonly QrInput[], { upsert, ...options }: BulkCreateOptions = {}): Promise<BulkJob> {
    const query = upsert === undefined ? {} : { upsert };
    return isItems(input)
      ? this.#transport.json<"createBulk", 202>("createBulk", { query, body: { items: [...input] } }, options)
      : this.#transport.json<"createBulkFromCsv", 202>("createBulkFromCsv", { query, body: input }, options);
  }

  /** Returns what `create` would do, and does nothing. */
  previewCreate(
    input: Csv | readonly QrInput[],
    { upsert, ...options }: BulkCreateOptions = {},
  ): Promise<BulkCreationPreview> {
    const query = { ...(upsert === undefined ? {} : { upsert }), dryRun: yes } as const;
    return isItems(input)
      ? this.#transport.json<"createBulk", 200>("createBulk", { query, body: { items: [...input] } }, options)
      : this.#transport.json<"createBulkFromCsv", 200>("createBulkFromCsv", { query, body: input }, options);
  }

  /** Begins a job that changes codes: those of a filter, or each as its row says, such as an edited export. */
  update(input: Csv | BulkUpdate, { force, ...options }: BulkUpdateOptions = {}): Promise<BulkJob> {
    const query = force ? ({ force: yes } as const) : {};
    return isTable(input)
      ? this.#transport.json<"bulkUpdateFromCsv", 202>("bulkUpdateFromCsv", { query, body: input }, options)
      : this.#transport.json<"bulkUpdate", 202>("bulkUpdate", { body: input }, options);
  }

  /** Returns what `update` would change, and changes nothing. */
  previewUpdate(
    input: Csv | BulkUpdate,
    { force, ...options }: BulkUpdateOptions = {},
  ): Promise<BulkPreview> {
    const query = { ...(force ? ({ force: yes } as const) : {}), dryRun: yes } as const;
    return isTable(input)
      ? this.#transport.json<"bulkUpdateFromCsv", 200>("bulkUpdateFromCsv", { query, body: input }, options)
      : this.#transport.json<"bulkUpdate", 200>("bulkUpdate", { body: { ...input, dryRun: true } }, options);
  }

  /** Lists jobs, newest first. */
  list(page: Query<"listBulk"> = {}, options?: RequestOptions): List<BulkJob, Schema<"BulkJobList">> {
    return this.#transport.list("listBulk", { query: page }, ({ items }) => items, options);
  }

  /** Returns a job with its progress and items. */
  get(jobId: string, query: Query<"getBulk"> = {}, options?: RequestOptions): Promise<BulkJobWithItems> {
    return this.#transport.json("getBulk", { path: { jobId }, query }, options);
  }

  /** Waits for the end of a job, with growing pauses. */
  wait(
    jobId: string,
    options: RequestOptions & { onProgress?: ((job: BulkJob) => void) | undefined } = {},
  ): Promise<BulkJob> {
    return finished<BulkJob>(() => this.get(jobId, { items: "none" }, options), options);
  }

  /** Streams the results of a job as CSV. */
  download(jobId: string, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("downloadBulk", { path: { jobId } }, options);
  }
}
