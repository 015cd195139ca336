import { limits } from "../../contract/limits.ts";
import type { QrList, QrListQuery } from "../../contract/resources/codes/qr.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { filterLiveIds, findQrs } from "../../store/codes/codes.ts";
import { presentQr } from "../../store/codes/columns.ts";
import type { ListFilter } from "../../store/codes/list.ts";
import { findSortedIds } from "../../store/codes/sorted.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { parseCursor } from "../paging.ts";

interface Scanned extends Pick<QrListQuery, "cursor" | "limit"> {
  readonly days: number;
  /** Which of the workspace's codes; all by default. */
  readonly filters?: Omit<ListFilter, "limit">;
}

/**
 * Returns a page of the live codes with the most human scans in the last days, most first. `total` counts such codes
 * among the `limits.dimensionItems.max` most scanned. One call of the ledger. The cursor is the number of preceding
 * codes.
 * @returns null for a filter that matches more than `limits.sortedCodes`, or for which too many have to be examined
 * @throws invalid_input for a cursor of another list
 */
export async function listMostScanned(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { days, filters, cursor, limit }: Scanned,
): Promise<(QrList & { readonly total: number }) | null> {
  const list = { order: "scans", ...filters };
  const first = Number(parseCursor(cursor, list, (text) => /^\d{1,3}$/.test(text)) ?? 0);
  const most = limits.dimensionItems.max;
  const qrIds = filters === undefined ? null : await findSortedIds(deps.db, workspaceId, filters);
  if (qrIds === undefined) return null;
  const report = await deps
    .ledger(workspaceId)
    .analytics({ qrIds, days, interval: "month", dimensions: ["code"], limit: most }, deps.now());
  if ("problem" in report) throw invalid(report.field, report.problem);
  const scanned = (report.dimensions.code?.items ?? []).flatMap(({ value }) => value ?? []);
  const live = await filterLiveIds(deps.db, workspaceId, scanned);
  const ranked = scanned.filter((id) => live.has(id));
  const shown = ranked.slice(first, first + limit);
  const rows = await findQrs(deps.db, workspaceId, shown);
  const next = first + limit;
  return {
    items: shown.flatMap((id) => {
      const row = rows.get(id);
      return row === undefined ? [] : presentQr(row, deps.settings.scanOrigin);
    }),
    nextCursor: next < ranked.length ? writeCursor(`${next}`, list) : null,
    total: ranked.length,
  };
}
