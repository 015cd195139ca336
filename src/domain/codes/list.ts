import { limits } from "../../contract/limits.ts";
import type { QrList, QrListQuery } from "../../contract/resources/codes/qr.ts";
import { writeCursor } from "../../lib/text/cursor.ts";
import { idLength, isId } from "../../lib/text/ids.ts";
import { bounds } from "../../protocol/bounds.ts";
import { presentQr, type QrRow } from "../../store/codes/columns.ts";
import { countListed, type ListFilter, listQrs, namePosition } from "../../store/codes/list.ts";
import { countLiveCodes } from "../../store/workspaces/workspaces.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";
import { parseCursor, toPage } from "../paging.ts";

/** Which codes to list, and from where. */
export type QrSelection = ListFilter & Pick<QrListQuery, "cursor">;

/**
 * Returns a page of codes, newest first by default. A filter without an index is tested on codes one by one, as long as
 * `bounds.search` allows. A page that ends there is short: `searched` says so, and its cursor continues.
 * @throws invalid_input for a cursor of another list
 */
export async function listQr(deps: Deps, context: WorkspaceContext, query: QrSelection): Promise<QrList> {
  const { cursor, limit, ...filters } = query;
  const byName = filters.order === "name" || filters.exactName !== undefined;
  const isPosition = byName ? (text: string) => isId(text.slice(-idLength)) : isId;
  const from = parseCursor(cursor, filters, (text) => isPosition(readEnd(text).position));
  const start = from === null ? { position: null, examined: 0 } : readEnd(from);
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
  const { items, nextCursor } = toPage(rows, limit, filters, byName ? namePosition : undefined);
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

function readEnd(text: string): { position: string; examined: number } {
  const [position = "", examined = "0"] = text.split(examinedMark);
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
