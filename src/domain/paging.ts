import { readCursor, writeCursor } from "../lib/text/cursor.ts";
import { isId } from "../lib/text/ids.ts";
import { invalid } from "./errors.ts";

/** Rows in one page of a streamed download or export. */
export const streamPageSize = 1000;

/**
 * The id that a list goes on after; null for its beginning.
 * @param filters what the list is filtered by: a cursor works for the list it was made for
 * @throws invalid_input for a cursor of another list
 */
export function startOf(cursor: string | undefined, filters: unknown): string | null {
  if (cursor === undefined) return null;
  const after = readCursor(cursor, filters);
  if (after === null || !isId(after)) {
    throw invalid("cursor", "is not a cursor of this list; start again without it");
  }
  return after;
}

/** A page of `limit` rows out of one row more, which tells whether there is another page, and its cursor. */
export function pageOf<T extends { readonly id: string }>(
  rows: readonly T[],
  limit: number,
  filters: unknown,
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, nextCursor: more ? writeCursor(last.id, filters) : null };
}
