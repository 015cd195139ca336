import { readCursor, writeCursor } from "../lib/text/cursor.ts";
import { isId } from "../lib/text/ids.ts";
import { invalid } from "./errors.ts";

/** Rows in one page of a streamed download or export. */
export const streamPageSize = 1000;

/**
 * The id that the requested page follows; null for the first page.
 * @param filters of the list: a cursor is valid only for the filters it was issued with
 * @throws invalid_input for a cursor of another list
 */
export function parseCursor(cursor: string | undefined, filters: unknown): string | null {
  if (cursor === undefined) return null;
  const after = readCursor(cursor, filters);
  if (after === null || !isId(after)) {
    throw invalid("cursor", "is not a cursor of this list; start again without it");
  }
  return after;
}

/** A page of `limit` items with the next page's cursor. @param rows one more than `limit`, if there is a next page */
export function toPage<T extends { readonly id: string }>(
  rows: readonly T[],
  limit: number,
  filters: unknown,
): { items: T[]; nextCursor: string | null } {
  return withCursor(rows.slice(0, limit), rows.length > limit, filters);
}

/** A page with the next page's cursor. @param more whether there is a next page */
export function withCursor<T extends { readonly id: string }>(
  items: readonly T[],
  more: boolean,
  filters: unknown,
): { items: T[]; nextCursor: string | null } {
  const last = items.at(-1);
  const nextCursor = more && last !== undefined ? writeCursor(last.id, filters) : null;
  return { items: [...items], nextCursor };
}
