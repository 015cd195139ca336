import { limits } from "../../contract/limits.ts";
import {
  type ScanKind,
  type ScanListQuery,
  timesOf,
  unknownValue,
} from "../../contract/resources/scans/scan-filters.ts";
import type { ScanEvent, ScanListResponse } from "../../contract/resources/scans/scans.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { isoTime } from "../../lib/time/iso-time.ts";
import type { RecentScans } from "../../protocol/analytics.ts";
import { bounds } from "../../protocol/bounds.ts";
import type { ScanPage } from "../../protocol/workspace-ledger.ts";
import { requireQr } from "../codes/require-code.ts";
import { sparklineDays } from "../codes/scans.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { unavailable } from "../errors.ts";
import { leaseExport } from "../export-lease.ts";
import { parseCursor } from "../paging.ts";

/**
 * Returns statistics and a page of scans of a code, which may be deleted. @throws not_found; invalid_input for the
 * cursor
 */
export async function listScans(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  { limit, cursor, ...filters }: ScanListQuery,
): Promise<ScanListResponse> {
  const qr = await requireQr(deps, context, id, "shown");
  const { tz: _, kind, ...others } = filters;
  const { from, until } = timesOf(filters);
  // As in 1.1.0, so that its cursors go on.
  const list = { qrId: qr.id, ...others, from, to: until, ...(kind !== "human" && { kind }) };
  const page = await readPage(deps, context, qr.id, filters, limit, parseCursor(cursor, list));
  return {
    stats: page.stats,
    events: page.events.map(withVia),
    nextCursor: page.next === null ? null : writeCursor(page.next, list),
    completeFrom: isoTime(page.completeFrom),
    closed: page.closed ?? noClosedScans,
  };
}

const noClosedScans: ScanListResponse["closed"] = { total: 0, reasons: [], days: [] };

async function readPage(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  qrId: string,
  filters: Omit<ScanListQuery, "limit" | "cursor">,
  limit: number,
  after: string | null,
): Promise<ScanPage> {
  const { from = 0, until = Number.POSITIVE_INFINITY } = timesOf(filters);
  const page = await deps.ledger(workspaceId).listScans(qrId, limit, {
    after,
    from,
    until,
    country: storedValue(filters.country),
    device: storedValue(filters.device),
    os: storedValue(filters.os),
    browser: storedValue(filters.browser),
    kind: filters.kind,
  });
  requireBots(filters.kind, page);
  return page;
}

/**
 * Requires that a ledger has heeded the kind of scans. @throws internal (503) if it still runs the code of 1.1.0, which
 * reads human scans alone
 */
export function requireBots(kind: ScanKind, { bots }: { readonly bots?: boolean }): void {
  if (kind !== "human" && bots !== true) throw unavailable();
}

/** Completes a scan from a ledger that still runs the code of 1.0.0, which has no `via`. */
export const withVia = (event: ScanEvent): ScanEvent => ({ ...event, via: event.via ?? null });

/** A code's latest scans, and where a live connection continues. */
export interface LatestScans extends Pick<ScanListResponse, "stats" | "events"> {
  /** The number of the last scan, after which to resume. */
  readonly latest: number;
}

/** Returns a code's statistics and latest scans. @throws not_found */
export async function latestScans(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  limit: number,
): Promise<LatestScans> {
  const qr = await requireQr(deps, context, id);
  const { stats, events, latest } = await deps.ledger(context.workspaceId).listScans(qr.id, limit);
  return { stats, events: events.map(withVia), latest };
}

/**
 * Streams the scans of a list, newest first: as many as fit on `bounds.loggedPages` pages. A workspace may run a few
 * such downloads at a time.
 * @param file its first line, and how to write scans as lines
 * @throws not_found, rate_limited
 */
export async function exportList(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  query: ScanListQuery,
  file: { readonly head: string; readonly linesOf: (events: ScanListResponse["events"]) => string },
): Promise<AsyncIterable<Uint8Array>> {
  const { id: qrId } = await requireQr(deps, context, id, "shown");
  async function* pieces() {
    yield file.head;
    let after: string | null = null;
    for (let page = 0; page < bounds.loggedPages; page += 1) {
      const { events, next }: ScanPage = await readPage(
        deps,
        context,
        qrId,
        query,
        limits.scanList.max,
        after,
      );
      yield file.linesOf(events.map(withVia));
      if (next === null) return;
      after = next;
    }
  }
  return leaseExport(deps, context, pieces());
}

/** Returns the value as stored with scans; null for any. */
function storedValue(filter: string | undefined): string | null {
  if (filter === undefined) return null;
  return filter === unknownValue ? "" : filter;
}

/** Returns the recent activity of an existing code. One call of the ledger. */
export const codeActivity = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  id: string,
): Promise<RecentScans> => deps.ledger(workspaceId).codeActivity(id, sparklineDays, deps.now());
