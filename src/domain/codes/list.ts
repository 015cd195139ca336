import { limits } from "../../contract/limits.ts";
import type { CodeSearch } from "../../contract/resources/codes/bulk-update.ts";
import type { QrList, QrListQuery } from "../../contract/resources/codes/qr.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { readHash } from "../../lib/text/hash.ts";
import { idLength, isId } from "../../lib/text/ids.ts";
import { wordsOf } from "../../lib/text/words.ts";
import { presentQr } from "../../store/codes/columns.ts";
import { countListed, type ListFilter, listQrs, namePosition } from "../../store/codes/list.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../context/context.ts";
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
  const byName = filters.order === "name";
  const after = parseCursor(cursor, filters, byName ? (text) => isId(text.slice(-idLength)) : isId);
  const { rows, end } = await listQrs(deps.db, context.workspaceId, { ...filters, limit: limit + 1 }, after);
  const { items, nextCursor } = toPage(rows, limit, filters, byName ? namePosition : undefined);
  return {
    items: items.map((row) => presentQr(row, deps.settings.scanOrigin)),
    nextCursor: nextCursor ?? (end === null ? null : writeCursor(end, filters)),
  };
}

/** The same, but a code whose short name equals a one-word search comes first. */
export async function searchQr(deps: Deps, context: WorkspaceContext, query: QrSelection): Promise<QrList> {
  const page = await listQr(deps, context, query);
  const { words = [], cursor, order } = query;
  const hash = words.length === 1 ? readHash(words[0] ?? "") : null;
  if (hash === null || cursor !== undefined || order !== undefined) return page;
  const { items } = await listQr(deps, context, { ...query, words: undefined, hash });
  const others = page.items.filter(({ id }) => id !== items[0]?.id);
  return { ...page, items: [...items, ...others] };
}

/** Counts the codes that a selection matches, up to `limits.countedCodes` and as far as a search examines them. */
export const countQr = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  filter: Omit<ListFilter, "limit">,
): Promise<{ codes: number; isAll: boolean }> =>
  countListed(deps.db, workspaceId, { ...filter, limit: limits.countedCodes });

/** How many words of a search count; each is searched for in every code. */
const mostWords = 8;

/** Returns the filter for a search: a short link's code, or codes that contain the words. */
export function wordFilter(deps: Deps, text: string): Pick<CodeSearch, "words" | "hash"> {
  const hash = hashOfAddress(deps, text);
  if (hash !== null) return { hash };
  const words = [...new Set(wordsOf(text, limits.name))].slice(0, mostWords);
  return words.length === 0 ? {} : { words };
}

/** Returns the short name in a short link or image address, with or without a scheme; null for any other text. */
function hashOfAddress({ settings: { scanOrigin } }: Deps, text: string): string | null {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null || url.host !== new URL(scanOrigin).host) return null;
  const [, segment] = /^\/([^/.]+)(?:\.(?:svg|png))?\/?$/.exec(url.pathname) ?? [];
  return segment === undefined ? null : readHash(segment);
}
