import { type ScanListQuery, unknownValue } from "../../contract/resources/scan-filters.ts";
import type { ScanListResponse } from "../../contract/resources/scans.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import type { CodeScans } from "../../protocol/analytics.ts";
import { requireQr } from "../codes/codes.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { parseCursor } from "../paging.ts";

/** Statistics and a page of the scans of a code, which may be deleted. @throws not_found; invalid_input for the cursor */
export async function listScans(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  { limit, cursor, ...filters }: ScanListQuery,
): Promise<ScanListResponse> {
  const qr = await requireQr(deps, context, id, "shown");
  const list = { qrId: qr.id, ...filters };
  const page = await deps.ledger(context.workspaceId).listScans(qr.id, limit, {
    after: parseCursor(cursor, list),
    from: filters.from ?? 0,
    until: filters.to ?? Number.POSITIVE_INFINITY,
    country: storedValue(filters.country),
    device: storedValue(filters.device),
    os: storedValue(filters.os),
    browser: storedValue(filters.browser),
  });
  return {
    stats: page.stats,
    events: [...page.events],
    nextCursor: page.next === null ? null : writeCursor(page.next, list),
    completeFrom: page.completeFrom === null ? null : new Date(page.completeFrom).toISOString(),
  };
}

/** A code's latest scans, and where a live connection goes on after them. */
export interface LatestScans extends Pick<ScanListResponse, "stats" | "events"> {
  /** The number of the last scan to resume after. */
  readonly latest: number;
}

/** The statistics and the latest scans of a code. @throws not_found */
export async function latestScans(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  limit: number,
): Promise<LatestScans> {
  const qr = await requireQr(deps, context, id);
  const { stats, events, latest } = await deps.ledger(context.workspaceId).listScans(qr.id, limit);
  return { stats, events: [...events], latest };
}

/** The value that scans are stored with; null if any will do. */
function storedValue(filter: string | undefined): string | null {
  if (filter === undefined) return null;
  return filter === unknownValue ? "" : filter;
}

/** Days of the series in a list of codes. */
export const sparklineDays = 30;

/** Human scans of codes of the workspace, by id: in all, and on each of the last 30 days. One call of the ledger. */
export async function scansOfCodes(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  qrIds: readonly string[],
): Promise<ReadonlyMap<string, CodeScans>> {
  if (qrIds.length === 0) return new Map();
  const scans = await deps.ledger(workspaceId).sparklines(qrIds, sparklineDays, deps.now());
  return new Map(scans.map((each) => [each.qrId, each]));
}
