import type { ScanEvent } from "../contract/resources/scans/scans.ts";

/**
 * A message from a ledger to a live connection, as JSON. A workspace's scans are numbered from 1 in the order they are
 * recorded; unlike ids, numbers never arrive late.
 */
export type LiveMessage = LiveStart | LiveScans;

/** The first message. */
interface LiveStart {
  /** The connection shows the scans after this number. */
  readonly start: number;
  /** The number of the last scan recorded so far. */
  readonly latest: number;
}

/** The scans of one call, limited to the watched code. */
export interface LiveScans {
  /** The number of the last scan covered by this message and those before it. */
  readonly number: number;
  readonly scans: readonly { readonly number: number; readonly event: ScanEvent }[];
  /**
   * How many scans of the workspace or code are not shown individually. After resuming, this may include scans of other
   * codes.
   */
  readonly skipped: number;
}

/** A message that the runtime answers while the object hibernates, and the answer: the connection is alive. */
export const livePing = "ping";
export const livePong = "pong";

/** The code with which the ledger closes a connection that is replaced by a new one. */
export const liveReplaced = 4000;

/** The parameters of the request that opens a live connection, which is a WebSocket. */
export interface LiveRequest {
  /** Scans of this code only; null for all. */
  readonly qrId: string | null;
  /** The number after which the connection resumes; null to show only new scans. */
  readonly after: number | null;
}

/** Builds the request that opens a live connection, for `RemoteLedger.fetch`. It is answered with 101. */
export function liveRequest({ qrId, after }: LiveRequest): Request {
  const url = new URL("https://ledger/live");
  if (qrId !== null) url.searchParams.set("qrId", qrId);
  if (after !== null) url.searchParams.set("after", String(after));
  return new Request(url, { headers: { upgrade: "websocket" } });
}

/** Parses a request built by `liveRequest`. */
export function readLiveRequest(request: Request): LiveRequest {
  const { searchParams } = new URL(request.url);
  const after = searchParams.get("after");
  return { qrId: searchParams.get("qrId"), after: after === null ? null : Number(after) };
}
