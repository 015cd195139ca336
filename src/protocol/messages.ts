/** The messages of the queues. This file has types only, because the redirect imports it and must stay small. */

/** A code that was scanned. */
export interface ScannedCode {
  readonly qrId: string;
  readonly hash: string;
}

/** Where a scan came from, as far as the edge knows. */
export interface ScanPlace {
  readonly country: string | null;
  readonly city: string | null;
}

/**
 * One scan of a batch. `code`, `userAgent`, `place` and `referrer` are indexes into the batch's lists.
 * - `id` is a UUIDv7 minted by the redirect: it identifies duplicates and holds the time of the scan.
 * - `visitor` has 16 hex digits: a keyed hash of address and user agent. The address itself is never stored.
 * - `prefetch` is 1 where a browser fetched the code ahead of its user: redirected, but not counted as a human scan.
 */
type BatchedScan = readonly [
  id: string,
  visitor: string,
  code: number,
  userAgent: number,
  place: number,
  prefetch: 0 | 1,
  referrer: number,
];

/** Scans of one workspace. What many scans share is written once, because a queue costs in proportion to its bytes. */
export interface ScanBatch {
  readonly workspaceId: string;
  readonly codes: readonly ScannedCode[];
  readonly userAgents: readonly (string | null)[];
  readonly places: readonly ScanPlace[];
  /** Hosts of the pages whose links led to the code; null for a scan without one, as of a camera. */
  readonly referrers: readonly (string | null)[];
  readonly scans: readonly BatchedScan[];
}

/** A message of the `scans` queue: the scans of one flush, one batch per workspace. */
export interface ScansMessage {
  readonly batches: readonly ScanBatch[];
}

/** A message of the `bulk` queue. */
export type BulkTask = JobRun | RouteFill;

/** Go on with a job. */
export interface JobRun {
  readonly task: "run";
  readonly workspaceId: string;
  readonly jobId: string;
}

/** Write the routes of a job's codes to the route cache: those of `rows` rows, beginning at `from`. */
export interface RouteFill {
  readonly task: "fill";
  readonly workspaceId: string;
  readonly jobId: string;
  readonly from: number;
  readonly rows: number;
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
