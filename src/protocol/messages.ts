/** The messages of the queues. This file has types only, because the redirect imports it and must stay small. */

/** One scan as the redirect saw it. Its id is a UUIDv7 minted there, which holds the time and identifies duplicates. */
export interface ScanRecord {
  readonly id: string;
  readonly workspaceId: string;
  readonly qrId: string;
  readonly hash: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly country: string | null;
  readonly city: string | null;
  readonly userAgent: string | null;
  /** 16 hex digits: a keyed hash over address and user agent. The address itself is never stored. */
  readonly visitor: string;
  /** Whether a browser prefetched the page: it is redirected, but not counted as a human scan. */
  readonly prefetch: boolean;
}

/** A message of the `scans` queue: the scans of one flush, for any workspaces. */
export interface ScansMessage {
  readonly scans: readonly ScanRecord[];
}

/** A message of the `bulk` queue: create one chunk of a job's rows, beginning at row `from`. */
export interface BulkChunk {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly from: number;
}

/** A message of the `deliveries` queue: make the due delivery attempts of this webhook. */
export interface DueDeliveries {
  readonly workspaceId: string;
  readonly webhookId: string;
}

/** A message of the `route-repairs` queue: bring the route cache and feeds in line with the catalogue for this key. */
export interface RouteRepair {
  readonly key: string;
}
