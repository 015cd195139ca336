import type { ScanEvent } from "../contract/resources/scans.ts";

/**
 * A message of a ledger to a live connection, as JSON. Scans are numbered per workspace from 1 on, in the order in which
 * they are recorded: their ids can arrive late.
 */
export type LiveMessage = LiveStart | LiveScans;

/** The first message. */
interface LiveStart {
  /** The connection shows the scans after this number. */
  readonly start: number;
  /** The number of the last scan recorded so far. */
  readonly latest: number;
}

/** The scans that one call recorded, as far as they are of the watched code. */
export interface LiveScans {
  /** The number of the last scan that this message and those before it are about. */
  readonly number: number;
  readonly scans: readonly { readonly number: number; readonly event: ScanEvent }[];
  /**
   * Scans of the workspace or the code that are not shown one by one. After a resumption, those of other codes may be
   * among them.
   */
  readonly skipped: number;
}

/** A text that the ledger's runtime answers while the object hibernates, and its answer: the connection is alive. */
export const livePing = "ping";
export const livePong = "pong";

/** The code with which the ledger closes the connection that gives way to a new one. */
export const liveReplaced = 4000;

/** The parameters of the request that opens a live connection, a WebSocket, at a ledger. */
export interface LiveRequest {
  /** Scans of this code only; null for all. */
  readonly qrId: string | null;
  /** The number that the connection resumes after; null to show only what comes. */
  readonly after: number | null;
}

/** The request that opens a live connection. It is answered with 101. */
export function liveRequest({ qrId, after }: LiveRequest): Request {
  const url = new URL("https://ledger/live");
  if (qrId !== null) url.searchParams.set("qrId", qrId);
  if (after !== null) url.searchParams.set("after", String(after));
  return new Request(url, { headers: { upgrade: "websocket" } });
}

/** Reads what `liveRequest` has written. */
export function readLiveRequest(request: Request): LiveRequest {
  const { searchParams } = new URL(request.url);
  const after = searchParams.get("after");
  return { qrId: searchParams.get("qrId"), after: after === null ? null : Number(after) };
}
