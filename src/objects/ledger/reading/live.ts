import { limits } from "../../../contract/limits.ts";
import type { ScanEvent } from "../../../contract/resources/scans/scans.ts";
import { describeError, log } from "../../../lib/log.ts";
import { bounds } from "../../../protocol/bounds.ts";
import {
  type LiveMessage,
  type LiveScans,
  livePing,
  livePong,
  liveReplaced,
  readLiveRequest,
} from "../../../protocol/live.ts";
import { LedgerPart } from "../part.ts";
import type { LedgerRecentScans, NewCall, RecentCall } from "./recent-scans.ts";
import type { LedgerScanList } from "./scan-list.ts";

/** The tag of a connection that watches all codes. Other connections are tagged with their code's id. */
const allCodes = "*";

/** Milliseconds after the last ping at which a connection counts as closed. */
const silence = 60_000;

/**
 * A workspace's live connections: WebSockets to the Workers that stream to clients. The object hibernates between
 * recordings, while the runtime answers pings.
 */
export class LedgerLive extends LedgerPart<{
  ctx: DurableObjectState;
  recentScans: LedgerRecentScans;
  scanList: LedgerScanList;
}> {
  /** Not stored: by the time the object's memory is lost, every allowance would be full again. */
  readonly #allowances = new WeakMap<WebSocket, LiveAllowance>();

  /** Opens a connection and sends the scans it missed. Beyond the limit, the oldest connection is closed. */
  connect(request: Request): Response {
    const others = this.#open();
    const replaced = others.slice(0, Math.max(0, others.length + 1 - limits.liveConnections));
    for (const { socket } of replaced) socket.close(liveReplaced, "replaced by a newer connection");
    // Later than all others, so that their order is known even if the clock stands still.
    const openedAt = Math.max(Date.now(), (others.at(-1)?.openedAt ?? 0) + 1);
    const { qrId, after } = readLiveRequest(request);
    const [client, server] = Object.values(new WebSocketPair()) as [WebSocket, WebSocket];
    this.parts.ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(livePing, livePong));
    this.parts.ctx.acceptWebSocket(server, [qrId ?? allCodes]);
    server.serializeAttachment(openedAt);
    const latest = this.parts.recentScans.latest;
    const start = Math.min(after ?? latest, latest);
    sendMessage(server, { start, latest });
    for (const call of this.parts.recentScans.since(start))
      sendMessage(server, this.#resume(call, start, qrId));
    return new Response(null, { status: 101, webSocket: client });
  }

  /**
   * Sends newly recorded scans to the connections. Call it after the transaction, in the same turn. Never throws: on
   * failure, it closes the connections, and their clients resume.
   * @param now epoch milliseconds
   */
  announce(call: NewCall | undefined, now: number): void {
    const sockets = this.parts.ctx.getWebSockets();
    if (call === undefined || sockets.length === 0) return;
    try {
      this.#sendAll(sockets, call, now);
    } catch (error) {
      log("error", "live connections closed", { error: describeError(error) });
      for (const socket of sockets) socket.close(1011, "failed");
    }
  }

  #sendAll(sockets: readonly WebSocket[], { number, count, scans }: NewCall, now: number): void {
    const first = number - count + 1;
    const numbered = scans.map(({ id, code }, i) => ({ id, qrId: code.qrId, number: first + i }));
    const watched = sockets.map((socket) => {
      const [tag] = this.parts.ctx.getTags(socket);
      const own = tag === allCodes ? numbered : numbered.filter(({ qrId }) => qrId === tag);
      return {
        socket,
        all: own.length,
        shown: own.slice(0, this.#allowanceOf(socket).take(own.length, now)),
      };
    });
    const ids = new Set(watched.flatMap(({ shown }) => shown.map(({ id }) => id)));
    const events = this.parts.scanList.byIds([...ids]);
    for (const { socket, all, shown } of watched) {
      const known = withEvents(shown, events);
      sendMessage(socket, { number, scans: known, skipped: all - known.length });
    }
  }

  #allowanceOf(socket: WebSocket): LiveAllowance {
    const known = this.#allowances.get(socket) ?? new LiveAllowance();
    this.#allowances.set(socket, known);
    return known;
  }

  /** Returns the scans of an earlier call that come after a number. */
  #resume({ number, count, ids }: RecentCall, after: number, qrId: string | null): LiveScans {
    const first = number - count + 1;
    const listed = ids.map((id, i) => ({ id, number: first + i })).filter((scan) => scan.number > after);
    const known = withEvents(listed, this.parts.scanList.byIds(listed.map(({ id }) => id)));
    return {
      number,
      scans: known.filter(({ event }) => qrId === null || event.qrId === qrId),
      skipped: number - Math.max(after, first - 1) - known.length,
    };
  }

  /**
   * Returns the open connections, oldest first, after closing those that have fallen silent, whose Workers are gone.
   */
  #open(): { readonly socket: WebSocket; readonly openedAt: number }[] {
    const since = Date.now() - silence;
    const open = this.parts.ctx.getWebSockets().flatMap((socket) => {
      if (socket.readyState !== WebSocket.OPEN) return [];
      const openedAt = Number(socket.deserializeAttachment());
      const pingedAt = this.parts.ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime();
      if ((pingedAt ?? openedAt) >= since) return [{ socket, openedAt }];
      socket.close(1001, "no ping");
      return [];
    });
    return open.sort((a, b) => a.openedAt - b.openedAt);
  }
}

/** How many scans a connection may still show. It refills over time. */
class LiveAllowance {
  #remaining: number = bounds.liveScans;
  #at = 0;

  /** Takes up to the wanted number. @param now epoch milliseconds */
  take(wanted: number, now: number): number {
    const more = (Math.max(0, now - this.#at) / 1000) * bounds.liveScansPerSecond;
    this.#at = Math.max(this.#at, now);
    this.#remaining = Math.min(bounds.liveScans, this.#remaining + more);
    const taken = Math.min(wanted, Math.floor(this.#remaining));
    this.#remaining -= taken;
    return taken;
  }
}

/** Pairs scans with the events to show. Omits scans that are not stored. */
const withEvents = (
  scans: readonly { readonly id: string; readonly number: number }[],
  events: ReadonlyMap<string, ScanEvent>,
): LiveScans["scans"] =>
  scans.flatMap(({ id, number }) => {
    const event = events.get(id);
    return event === undefined ? [] : [{ number, event }];
  });

/** Sends a message. A closing connection accepts none; its client resumes on another. */
function sendMessage(socket: WebSocket, message: LiveMessage): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}
