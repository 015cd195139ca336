import type { Download } from "../download.ts";
import type { List } from "../list.ts";
import { type LiveEvent, liveEvents } from "../live.ts";
import type { Transport } from "../transport.ts";
import type { ClosedCode, Query, Report, RequestOptions, Scan, Schema } from "../types.ts";

/** Scans of codes. */
export class Scans {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists the scans of a code, newest first. A page also has the code's `stats`. */
  list(
    qrId: string,
    filter: Query<"listScans"> = {},
    options?: RequestOptions,
  ): List<Scan, Schema<"ScanListResponse">> {
    const parts = { path: { id: qrId }, query: filter };
    return this.#transport.list("listScans", parts, (page) => page.events, options);
  }

  /** Streams scans as CSV or NDJSON, oldest first. */
  export(filter: Query<"exportScans"> = {}, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("exportScans", { query: filter }, options);
  }

  /** Lists codes that lead nowhere and are still scanned, the most scanned first. */
  closed(options?: RequestOptions): List<ClosedCode, Schema<"ClosedCodeList">> {
    return this.#transport.list("listClosedScans", {}, ({ items }) => items, options);
  }

  /** Streams the numbers of scans without a target, by code, day and reason. */
  exportClosed(filter: Query<"exportClosedScans"> = {}, options?: RequestOptions): Promise<Download> {
    return this.#transport.download("exportClosedScans", { query: filter }, options);
  }

  /**
   * Follows scans as they happen: of the workspace, or of one code. It connects again by itself, and ends when you leave
   * the loop or abort its signal.
   */
  live(
    { qrId, after }: { qrId?: string; after?: number } = {},
    options?: RequestOptions,
  ): AsyncGenerator<LiveEvent, never, undefined> {
    const connect = (since: number | undefined) => {
      const query = since === undefined ? {} : { after: since };
      return qrId === undefined
        ? this.#transport.download("watchScans", { query }, options)
        : this.#transport.download("watchQrScans", { path: { id: qrId }, query }, options);
    };
    return liveEvents(connect, after, options?.signal);
  }
}

/** Reports on scans: totals, series, breakdowns and comparisons. */
export class Reports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Reports on the scans of one code. */
  code(id: string, report: Query<"codeAnalytics"> = {}, options?: RequestOptions): Promise<Report> {
    return this.#transport.json("codeAnalytics", { path: { id }, query: report }, options);
  }

  /** Reports on the scans of the workspace, of a tag or of a folder. */
  workspace(report: Query<"workspaceAnalytics"> = {}, options?: RequestOptions): Promise<Report> {
    return this.#transport.json("workspaceAnalytics", { query: report }, options);
  }
}
