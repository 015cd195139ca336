/** What travels through the queues. Types alone: the redirect imports this and must stay light. */

/** One scan, as the redirect saw it. Its id is a UUIDv7, minted there: identity, time and dedupe in one. */
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
  /** The browser fetched the page ahead of the person: redirected, not counted. */
  readonly prefetch: boolean;
}

/** A message of the `scans` queue: the scans of one flush, of any workspaces. */
export interface ScansMessage {
  readonly scans: readonly ScanRecord[];
}

/** A message of the `bulk` queue: create the rows of a job from `from` on, as many as make a chunk. */
export interface BulkChunk {
  readonly workspaceId: string;
  readonly jobId: string;
  readonly from: number;
}

/** A message of the `deliveries` queue: POST what is due for this webhook. */
export interface DueDeliveries {
  readonly workspaceId: string;
  readonly webhookId: string;
}

/** A message of the `route-repairs` queue: make the caches say what the catalogue says under this key. */
export interface RouteRepair {
  readonly key: string;
}
