import { limits } from "../../contract/limits.ts";
import type { QrList, QrListQuery } from "../../contract/resources/codes/qr.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { idLength, isId } from "../../lib/text/ids.ts";
import { presentQr } from "../../store/codes/columns.ts";
import { countListed, type ListFilter, listQrs, namePosition } from "../../store/codes/list.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { parseCursor, toPage } from "../paging.ts";

/** Which codes to list, and from where. */
export type QrSelection = ListFilter & Pick<QrListQuery, "cursor">;

/**
 * Returns a page of codes, newest first by default. A filter without an index is tested on `bounds.searchedCodes`
 * codes; a page that ends there is short, and its cursor continues.
 * @throws invalid_input for a cursor of another list
 */
export async function listQr(deps: Deps, context: WorkspaceContext, query: QrSelection): Promise<QrList> {
  const { cursor, limit, ...filters } = query;
  const byName = filters.order === "name" || filters.exactName !== undefined;
  const after = parseCursor(cursor, filters, byName ? (text) => isId(text.slice(-idLength)) : isId);
  const page = { ...filters, limit: limit + 1 };
  const { rows, end } = await listQrs(deps.db, context.workspaceId, page, after);
  const { items, nextCursor } = toPage(rows, limit, filters, byName ? namePosition : undefined);
  return {
    items: items.map((row) => presentQr(row, deps.settings.scanOrigin)),
    nextCursor: nextCursor ?? (end === null ? null : writeCursor(end, filters)),
  };
}

/** Counts the codes that a selection matches, up to `limits.countedCodes` and as far as a search examines them. */
export const countQr = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  filter: Omit<ListFilter, "limit">,
): Promise<{ codes: number; isAll: boolean }> =>
  countListed(deps.db, workspaceId, { ...filter, limit: limits.countedCodes });
