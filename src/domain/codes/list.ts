import { limits, mostSorted } from "../../contract/limits.ts";
import type { QrList, QrListQuery } from "../../contract/resources/codes/qr.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { idLength, isId } from "../../lib/text/ids.ts";
import { bounds } from "../../protocol/bounds.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import {
  changePosition,
  countListed,
  type ListFilter,
  listQrs,
  namePosition,
} from "../../store/codes/list.ts";
import { type SortedBy, sortQrs } from "../../store/codes/sorted.ts";
import { countLiveCodes } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";
import { requireTotals } from "./scans.ts";

/** Which codes to list, and from where. */
export type QrSelection = ListFilter & Pick<QrListQuery, "cursor">;

/**
 * Returns a page of codes, newest first by default. A filter without an index is tested on codes one by one, as long as
 * `bounds.search` allows. A page that ends there is short: `searched` says so, and its cursor continues.
 * @throws invalid_input for a cursor of another list, and for more codes than can be sorted
 */
export async function listQr(deps: Deps, context: WorkspaceContext, query: QrSelection): Promise<QrList> {
  const { sort = "createdAt", exactName } = query;
  if (sort === "createdAt") {
    await requireTotals(deps, context, query);
    return listFrom(deps, context, query, exactName === undefined ? undefined : namePosition);
  }
  const list = await listSorted(deps, context, query, sort);
  if (list !== null) return list;
  throw invalid(
    "sort",
    `can be ${sort} for at most ${mostSorted(sort)} QR codes. Filter them, or sort by createdAt, updatedAt or name.`,
  );
}

/** Returns whether a text is a position in an order that ends in ids. */
const isPosition = (text: string): boolean =>
  text.at(-idLength - 1) === "\u0001" && isId(text.slice(-idLength));

/** Returns a page of codes in an order that an index has. @param positionOf a code's position in it, if that isn't its id */
async function listFrom(
  deps: Deps,
  context: WorkspaceContext,
  query: QrSelection,
  positionOf: ((row: QrRow) => string) | undefined,
): Promise<QrList> {
  const { cursor, limit, ...filters } = query;
  const start = readStart(cursor, filters, positionOf === undefined ? isId : isPosition);
  const rows: QrRow[] = [];
  const spent = new Spent();
  let after: string | null = start.position;
  do {
    const page = { ...filters, limit: limit + 1 - rows.length };
    const part = await listQrs(deps.db, context.workspaceId, page, after, spent.entries);
    rows.push(...part.rows);
    after = part.end;
    spent.add(part.time);
  } while (after !== null && rows.length <= limit && !spent.isAll);
  const { items, nextCursor } = toPage(rows, limit, filters, positionOf);
  const isCut = nextCursor === null && after !== null;
  const examined = start.examined + spent.examined;
  return {
    items: items.map((row) => presentQr(row, deps.settings.scanOrigin)),
    nextCursor: isCut ? writeCursor(`${after}${examinedMark}${examined}`, filters) : nextCursor,
    ...(isCut && {
      searched: {
        ...{ names: examined, destinations: examined, codes: examined },
        of: await countLiveCodes(deps.db, context.workspaceId),
      },
    }),
  };
}

/** Stands in a cursor between the position where the bounds ended a page and how many codes had been examined. */
const examinedMark = "\u0002";

/** Returns where a page begins. @throws invalid_input for a cursor of another list */
function readStart(
  cursor: string | undefined,
  filters: unknown,
  isPositionOf: (text: string) => boolean,
): { readonly position: string | null; readonly examined: number } {
  const read = (text: string) => text.split(examinedMark);
  const text = parseCursor(cursor, filters, (given) => isPositionOf(read(given)[0] ?? ""));
  if (text === null) return { position: null, examined: 0 };
  const [position = "", examined] = read(text);
  return { position, examined: Number(examined) || 0 };
}

/** Counts the codes that a request has examined. */
class Spent {
  examined = 0;
  /** How many codes the next statement examines. Most lists are full after the first. */
  entries: number = bounds.searchedCodes;
  #time = 0;
  #statements = 0;

  /** @param time milliseconds of the catalogue */
  add(time: number): void {
    this.examined += this.entries;
    this.entries = bounds.search.codes;
    this.#time += time;
    this.#statements += 1;
  }

  get isAll(): boolean {
    return this.#time >= bounds.search.time || this.#statements >= bounds.search.statements;
  }
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
  await requireTotals(deps, context, query);
  const { cursor, limit, ...filters } = query;
  const after = readStart(cursor, filters, isPosition).position;
  const positionOf = sort === "name" || sort === "updatedAt" ? indexedOrders[sort] : undefined;
  if (positionOf !== undefined && !isFiltered(query)) {
    return listFrom(deps, context, query, positionOf);
  }
  const page = { ...filters, limit: limit + 1 };
  const sorted = await sortQrs(deps.db, context.workspaceId, page, sort, after);
  if (sorted !== null) {
    const entries = sorted.map(({ row, position }) => ({ ...row, position }));
    const { items, nextCursor } = toPage(entries, limit, filters, ({ position }) => position);
    return { items: items.map((row) => presentQr(row, deps.settings.scanOrigin)), nextCursor };
  }
  return positionOf === undefined ? null : listFrom(deps, context, query, positionOf);
}

/**
 * Counts the codes that a selection matches, up to one more than `limits.countedCodes`. Also returns whether that is all of
 * them, rather than those that `bounds.search` allows to examine.
 */
export async function countQr(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  filter: Omit<ListFilter, "limit">,
): Promise<{ codes: number; isAll: boolean }> {
  const most = limits.countedCodes + 1;
  const spent = new Spent();
  let [codes, after]: [number, string | null] = [0, null];
  do {
    const query = { ...filter, limit: most - codes };
    const part = await countListed(deps.db, workspaceId, query, after, spent.entries);
    codes += part.codes;
    after = part.end;
    spent.add(part.time);
  } while (after !== null && codes < most && !spent.isAll);
  return { codes, isAll: after === null || codes === most };
}
