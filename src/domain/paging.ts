import { readCursor, writeCursor } from "../lib/text/cursor.ts";
import { isId } from "../lib/text/ids.ts";
import { invalid } from "./errors.ts";

/** Rows in one page of a streamed download or export. */
export const streamPageSize = 1000;

/**
 * The id that the requested page follows; null for the first page.
 * @param filters of the list: a cursor is valid only for the filters it was issued with
 * @param isPosition the form of what a cursor of the list holds, if it is no id
 * @throws invalid_input for a cursor of another list
 */
export function parseCursor(
  cursor: string | undefined,
  filters: unknown,
  isPosition: (text: string) => boolean = isId,
): string | null {
  if (cursor === undefined) return null;
  const after = readCursor(cursor, filters);
  if (after === null || !isPosition(after)) {
    throw invalid("cursor", "isn't a cursor of this list. Start again without it.");
  }
  return after;
}

/**
 * A page of `limit` items with the next page's cursor.
 * @param rows one more than `limit`, if there is a next page
 * @param positionOf a row's place in the list: its id, if the list is ordered by ids
 */
export function toPage<T extends { readonly id: string }>(
  rows: readonly T[],
  limit: number,
  filters: unknown,
  positionOf?: (row: T) => string,
): { items: T[]; nextCursor: string | null } {
  return withCursor(rows.slice(0, limit), rows.length > limit, filters, positionOf);
}

/** A page with the next page's cursor. @param more whether there is a next page */
export function withCursor<T extends { readonly id: string }>(
  items: readonly T[],
  more: boolean,
  filters: unknown,
  positionOf: (row: T) => string = ({ id }) => id,
): { items: T[]; nextCursor: string | null } {
  const last = items.at(-1);
  const nextCursor = more && last !== undefined ? writeCursor(positionOf(last), filters) : null;
  return { items: [...items], nextCursor };
}
