import { readCursor, writeCursor } from "../lib/text/cursor.ts";
import { isId } from "../lib/text/ids.ts";
import { invalid } from "./errors.ts";

/** How many rows a page of a streamed download or export has. */
export const streamPageSize = 1000;

/**
 * Returns the id that the requested page follows; null for the first page.
 * @param filters of the list; a cursor is valid only with the filters it was issued for
 * @param isPosition checks the form of a cursor's content, if it isn't an id
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
    throw invalidCursor();
  }
  return after;
}

/** Returns the error for a cursor of another list. */
export const invalidCursor = () => invalid("cursor", "isn't a cursor of this list. Start again without it.");

/**
 * Returns a page of `limit` items with the next page's cursor.
 * @param rows one more than `limit` if there is a next page
 * @param positionOf returns a row's position in the list; its id by default
 */
export function toPage<T extends { readonly id: string }>(
  rows: readonly T[],
  limit: number,
  filters: unknown,
  positionOf?: (row: T) => string,
): { items: T[]; nextCursor: string | null } {
  return withCursor(rows.slice(0, limit), rows.length > limit, filters, positionOf);
}

/** Returns a page with the next page's cursor. @param more whether there is a next page */
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
