import { limits } from "../../contract/limits.ts";
import {
  externalId as ExternalId,
  type QrList,
  type QrListQuery,
} from "../../contract/resources/codes/qr.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { readHash } from "../../lib/text/hash.ts";
import { idLength, isId } from "../../lib/text/ids.ts";
import { wordsOf } from "../../lib/text/words.ts";
import { readDestination } from "../../lib/web/destination.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import {
  changePosition,
  countListed,
  type ListFilter,
  listQrs,
  namePosition,
} from "../../store/codes/list.ts";
import { type SortedBy, sortQrs } from "../../store/codes/sorted.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";
import { findHashOf, hostOf } from "./filter.ts";

/** Which codes to list, and from where. */
export type QrSelection = ListFilter & Pick<QrListQuery, "cursor">;

/**
 * Returns a page of codes, newest first by default. A filter without an index is tested on `bounds.searchedCodes`
 * codes; a page that ends there is short, and its cursor continues.
 * @param except ids of codes that it leaves out
 * @throws invalid_input for a cursor of another list, and for more codes than can be sorted
 */
export async function listQr(
  deps: Deps,
  context: WorkspaceContext,
  query: QrSelection,
  except: readonly string[] = [],
): Promise<QrList> {
  const { cursor, limit, ...filters } = query;
  const { sort = "createdAt" } = query;
  if (sort !== "createdAt") {
    const list = await listSorted(deps, context, query, sort);
    if (list !== null) return list;
    throw invalid(
      "sort",
      `can be ${sort} for at most ${limits.sortedCodes} QR codes. Filter them, or sort by createdAt, updatedAt or name.`,
    );
  }
  const positionOf = filters.exactName === undefined ? undefined : namePosition;
  const after = parseCursor(cursor, filters, positionOf && isPosition);
  return listFrom(deps, context, query, after, positionOf, except);
}

const isPosition = (text: string): boolean =>
  text.at(-idLength - 1) === "\u0001" && isId(text.slice(-idLength));

/** Returns a page of codes in an order that an index has. */
async function listFrom(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { cursor: _, limit, ...filters }: QrSelection,
  after: string | null,
  positionOf: ((row: QrRow) => string) | undefined,
  except?: readonly string[],
): Promise<QrList> {
  const page = { ...filters, limit: limit + 1 };
  const { rows, end } = await listQrs(deps.db, workspaceId, page, after, except);
  const { items, nextCursor } = toPage(rows, limit, filters, positionOf);
  return {
    items: items.map((row) => presentQr(row, deps.settings.scanOrigin)),
    nextCursor: nextCursor ?? (end === null ? null : writeCursor(end, filters)),
  };
}

/** The orders that an index has, besides that of ids, with a code's position in each. */
const indexedOrders = { name: namePosition, updatedAt: changePosition } as const;

/** The filters of a list, without what is the same for all codes. */
const isFiltered = ({ cursor: _, limit: __, sort: ___, order: ____, ...filters }: QrSelection): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/**
 * Returns a page of sorted codes. Few are sorted for each page; many only by what an index has.
 * @returns null for too many codes to be sorted so
 * @throws invalid_input for a cursor of another list
 */
export async function listSorted(
  deps: Deps,
  context: WorkspaceContext,
  query: QrSelection,
  sort: SortedBy,
): Promise<QrList | null> {
  const { cursor, limit, ...filters } = query;
  const after = parseCursor(cursor, filters, isPosition);
  const positionOf = sort === "name" || sort === "updatedAt" ? indexedOrders[sort] : undefined;
  if (positionOf !== undefined && !isFiltered(query)) {
    return listFrom(deps, context, query, after, positionOf);
  }
  const page = { ...filters, limit: limit + 1 };
  const sorted = await sortQrs(deps.db, context.workspaceId, page, sort, after);
  if (sorted !== null) {
    const entries = sorted.map(({ row, position }) => ({ ...row, position }));
    const { items, nextCursor } = toPage(entries, limit, filters, ({ position }) => position);
    return { items: items.map((row) => presentQr(row, deps.settings.scanOrigin)), nextCursor };
  }
  return positionOf === undefined ? null : listFrom(deps, context, query, after, positionOf);
}

/** How many codes of each kind of exact match come first. */
const mostExact = 4;

/**
 * The same, but unless they are sorted, codes come first that a search names exactly: by short name, own id, address, name or host. An index finds
 * them, however many codes there are.
 * @param text the search without its filters
 */
export async function searchQr(
  deps: Deps,
  context: WorkspaceContext,
  query: QrSelection,
  text: string,
): Promise<QrList> {
  const { words, q, cursor, limit, ...filters } = query;
  if ((words === undefined && q === undefined) || query.sort !== undefined || query.order !== undefined) {
    return listQr(deps, context, query);
  }
  const lists = await Promise.all(
    exactFilters(text).map((filter) => listQr(deps, context, { ...filters, ...filter, limit: mostExact })),
  );
  const found = [...new Map(lists.flatMap(({ items }) => items).map((qr) => [qr.id, qr])).values()];
  // A page also continues the list.
  const exact = found.length < limit ? found : [];
  const first = cursor === undefined ? exact : [];
  const ids = exact.map(({ id }) => id);
  const page = await listQr(deps, context, { ...query, limit: limit - first.length }, ids);
  return { ...page, items: [...first, ...page.items] };
}

/** Returns the filters by which a whole search may name codes. */
function exactFilters(text: string): Partial<ListFilter>[] {
  const hash = readHash(text);
  const { data: externalId } = ExternalId.safeParse(text);
  const host = hostOf(text);
  const address = readDestination(text, limits.destination);
  return [
    ...(hash === null ? [] : [{ hash }]),
    ...(externalId === undefined ? [] : [{ externalId }]),
    ...(address.ok ? [{ destination: address.url }] : []),
    ...(text.trim() === "" ? [] : [{ exactName: text.trim() }]),
    ...(host === null ? [] : [{ destinationHost: host }]),
  ];
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
export async function wordFilter(
  deps: Deps,
  context: WorkspaceContext,
  text: string,
): Promise<Pick<ListFilter, "words" | "hash">> {
  const hash = await findHashOf(deps, context, text);
  if (hash !== null) return { hash };
  const words = [...new Set(wordsOf(text, limits.name))].slice(0, mostWords);
  return words.length === 0 ? {} : { words };
}
