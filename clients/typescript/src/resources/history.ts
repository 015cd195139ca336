import type { Download } from "../download.ts";
import { NotFoundError } from "../errors.ts";
import type { List } from "../list.ts";
import { responseOf, type Transport } from "../transport.ts";
import type { BulkJob, HistoryEntry, Query, RequestOptions, Reverted, Schema } from "../types.ts";

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
    const created = { kind: "job", object: jobId, limit: 1 } as const;
    const list = this.list(created, options);
    for await (const page of list.pages()) {
      const [entry] = page.items;
      if (entry === undefined) continue;
      const parts = { path: { id: entry.id }, query: { scope: "job" } } as const;
      const { job } = await this.#transport.json("revertChange", parts, options);
      if (job !== null) return job;
    }
    const { headers } = responseOf(await list);
    throw new NotFoundError("No such bulk job.", { status: 404, headers, body: { code: "not_found" } });
  }
}
