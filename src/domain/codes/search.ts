import { limits } from "../../contract/limits.ts";
import { externalId as ExternalId, type Qr, type QrList } from "../../contract/resources/codes/qr.ts";
import { readCursor, writeCursor } from "../../lib/text/cursor.ts";
import { readHash } from "../../lib/text/hash.ts";
import { wordsOf } from "../../lib/text/words.ts";
import { readDestination } from "../../lib/web/destination.ts";
import { presentQr } from "../../store/codes/columns.ts";
import type { ListFilter } from "../../store/codes/list.ts";
import { findCodes, type SearchPosition, searchStart } from "../../store/codes/search.ts";
import { countLiveCodes } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalidCursor } from "../paging.ts";
import { findHashOf, hostOf, readFilter } from "./filter.ts";
import { listQr, type QrSelection } from "./list.ts";

/** How many codes of each kind of exact match come first. */
const mostExact = 4;

/** How many words of a search count; each is searched for in every code. */
const mostWords = 8;

/** Returns the filter for a search: a short link's code, or codes that contain the words. */
export async function wordFilter(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  text: string,
): Promise<Pick<ListFilter, "words" | "hash">> {
  const hash = await findHashOf(deps, context, text);
  if (hash !== null) return { hash };
  const words = [...new Set(wordsOf(cleaned(text), limits.name))].slice(0, mostWords);
  return words.length === 0 ? {} : { words };
}

/** No text of a code has control characters. */
const cleaned = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ").toWellFormed();

/** The same as a part of the filters of a list, among which may be a short name. */
export async function withWords<Filter extends Pick<ListFilter, "q" | "hash">>(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  { q, ...filters }: Filter,
): Promise<Omit<Filter, "q"> & Pick<ListFilter, "words" | "hash">> {
  if (q === undefined) return filters;
  const found = await wordFilter(deps, context, q);
  // No code has two short names.
  const isOther = filters.hash !== undefined && found.hash !== undefined && found.hash !== filters.hash;
  return { ...filters, ...found, ...(isOther && { hash: "" }) };
}

/** Reads the filters of a list as people paste them, with the words of `q`. @throws invalid_input */
export const readQuery = async <Query extends Parameters<typeof readFilter>[2] & Pick<ListFilter, "q">>(
  deps: Deps,
  context: Pick<WorkspaceContext, "workspaceId">,
  query: Query,
) => withWords(deps, context, await readFilter(deps, context, query));

/**
 * Returns a page of the codes that a search finds: first those that it names exactly, by short name, own id, address, name
 * or host, then those whose names and tags begin so, then those that contain its words, by names, addresses and whatever
 * else. In large workspaces, a page examines a part of the codes. `searched` says so, and its cursor continues.
 * @param query with the `wordFilter` of the text. Without words, or in an order, it is the list with these filters
 * @param text the search without its filters
 * @param indexOnly whether it leaves out codes that only contain the words
 * @throws invalid_input for a cursor of another search
 */
export async function searchQr(
  deps: Deps,
  context: WorkspaceContext,
  query: QrSelection,
  text: string,
  { indexOnly = false }: { readonly indexOnly?: boolean } = {},
): Promise<QrList> {
  const { words, cursor, limit, ...filters } = query;
  if (words === undefined || query.sort !== undefined || query.order !== undefined)
    return listQr(deps, context, query);
  const { workspaceId } = context;
  const bound = { ...filters, words, text };
  const from = cursor === undefined ? null : readPosition(cursor, bound);
  const [codes, ...lists] = await Promise.all([
    countLiveCodes(deps.db, workspaceId),
    ...exactFilters(text).map((filter) => listQr(deps, context, { ...filters, ...filter, limit: mostExact })),
  ]);
  const exact = new Map(lists.flatMap(({ items }) => items).map((qr) => [qr.id, qr]));
  const left = from === null || "exact" in from ? afterExact([...exact.values()], from?.exact) : [];
  const entries: { qr: Qr; at: Position }[] = left.map((qr) => ({ qr, at: { exact: qr.id } }));
  let next: SearchPosition | null = from === null || "exact" in from ? searchStart : from;
  if (entries.length <= limit) {
    const search = { filters, text: wordsOf(cleaned(text), limits.name).join(" "), words, codes };
    const more = limit + 1 - entries.length + exact.size;
    const options = { found: entries.length > 0, indexOnly };
    const found = await findCodes(deps.db, workspaceId, search, next, more, options);
    for (const { row, at } of found.codes) {
      if (!exact.has(row.id)) entries.push({ qr: presentQr(row, deps.settings.scanOrigin), at });
    }
    next = found.next;
  }
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  const isFull = entries.length > limit && last !== undefined;
  return {
    items: page.map(({ qr }) => qr),
    nextCursor: isFull ? writePosition(last.at, bound) : next && writePosition(next, bound),
    ...(!isFull && next !== null && { searched: { ...next.searched, of: codes } }),
  };
}

const afterExact = (exact: readonly Qr[], id: string | undefined): readonly Qr[] =>
  id === undefined ? exact : exact.slice(exact.findIndex((qr) => qr.id === id) + 1);

/** Where a page ends: after a code that was named exactly, or within the passes over the others. */
type Position = SearchPosition | { readonly exact: string };

const writePosition = (position: Position, bound: unknown): string =>
  writeCursor(JSON.stringify(position), bound);

/** @throws invalid_input for a cursor of another search */
function readPosition(cursor: string, bound: unknown): Position {
  const text = readCursor(cursor, bound);
  try {
    const position: unknown = JSON.parse(text ?? "");
    if (isPosition(position)) return position;
  } catch {
    // Not a position.
  }
  throw invalidCursor();
}

function isPosition(value: unknown): value is Position {
  const { exact, pass, after, searched } = Object(value) as Partial<Record<string, unknown>>;
  if (typeof exact === "string") return true;
  const { names, destinations, codes } = Object(searched) as Partial<Record<string, unknown>>;
  return (
    [pass, names, destinations, codes].every((count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
    (after === null || (Array.isArray(after) && after.every((key) => typeof key === "string")))
  );
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
