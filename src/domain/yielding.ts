import type { Deps } from "./deps.ts";

/** Lets the isolate serve other requests. A loop whose awaits resolve at once would block them until it ends. */
export const yieldToOtherRequests = (deps: Deps): Promise<void> => deps.pause(0);

/**
 * How much is read, checked or written as JSON before other requests get their turn: some ten milliseconds. A turn costs
 * one or two, and the clock, which stands still meanwhile, can't tell when it is due.
 */
export const worked = { rows: 500, bytes: 64 * 1024 };

/** Returns the length of a row as JSON, where the work on it grows with that. */
export const jsonLength = (row: unknown): number => JSON.stringify(row)?.length ?? 0;

/**
 * Yields each row. After some rows or bytes, other requests get their turn.
 * @param bytesOf about how many bytes were worked on for a row; by default, only rows count
 */
export async function* yielding<Row>(
  deps: Deps,
  rows: Iterable<Row>,
  bytesOf: (row: Row) => number = () => 0,
): AsyncGenerator<Row, void, undefined> {
  let count = 0;
  let bytes = 0;
  for (const row of rows) {
    yield row;
    count += 1;
    bytes += bytesOf(row);
    if (count < worked.rows && bytes < worked.bytes) continue;
    await yieldToOtherRequests(deps);
    count = bytes = 0;
  }
}
