import type { Download } from "../download.ts";
import { NotFoundError, QrCodesError } from "../errors.ts";
import type { List } from "../list.ts";
import { growing, pause } from "../retry.ts";
import { responseOf, type Transport } from "../transport.ts";
import type { BulkJob, HistoryEntry, Query, RequestOptions, Reverted, Schema } from "../types.ts";

/** How often the history is read again while its newest entries are recorded: for about half a minute. */
const attempts = 10;

/** Changes, and their undoing. */
export class History {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists changes, newest first. */
  list(
    filter: Query<"listHistory"> = {},
    options?: RequestOptions,
  ): List<HistoryEntry, Schema<"HistoryList">> {
    return this.#transport.list("listHistory", { query: filter }, (page) => page.items, options);
  }

  /** Streams changes as NDJSON. */
  export(filter: Query<"exportHistory"> = {}, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("exportHistory", { query: filter }, options);
  }

  /** Undoes the change of an entry. `entry` is the change that undid it, which can be undone, too. */
  undo(entryId: string, options?: RequestOptions): Promise<Reverted> {
    return this.#transport.json("revertChange", { path: { id: entryId } }, options);
  }

  /** Undoes everything that a bulk job did, by a bulk job of its own: wait for it with `bulk.wait`. */
  async undoJob(jobId: string, options?: RequestOptions): Promise<BulkJob> {
    const { id } = await this.#entryOfJob(jobId, options);
    const parts = { path: { id }, query: { scope: "job" } } as const;
    const { job } = await this.#transport.json("revertChange", parts, options);
    if (job === null) throw new QrCodesError("The service has undone a change instead of the job.");
    return job;
  }

  /** Returns the entry of a job's creation. After a large job, it takes a while until the newest entries are listed. */
  async #entryOfJob(jobId: string, options?: RequestOptions): Promise<HistoryEntry> {
    const filter = { kind: "job", object: jobId, limit: 1 } as const;
    for (let before = 0; ; before += 1) {
      let [isRecording, headers] = [false, new Headers()];
      for await (const page of this.list(filter, options).pages()) {
        const [entry] = page.items;
        if (entry !== undefined) return entry;
        isRecording ||= page.newestFollow;
        headers = responseOf(page).headers;
      }
      if (!isRecording || before >= attempts) {
        const answer = { status: 404, headers, body: { code: "not_found" } };
        throw new NotFoundError("No such bulk job.", answer);
      }
      await pause(growing(before, 250, 4_000), options?.signal);
    }
  }
}
