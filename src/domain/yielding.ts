import type { Deps } from "./deps.ts";

/** Lets the isolate serve other requests. A loop whose awaits resolve at once would block them until it ends. */
export const yieldToOtherRequests = (deps: Deps): Promise<void> => deps.pause(0);

/** How many rows are read, checked or written as JSON before other requests get their turn: a few milliseconds. */
export const rowsAtATime = 100;

/** Yields each row. After every few, other requests get their turn. */
export async function* yielding<Row>(deps: Deps, rows: Iterable<Row>): AsyncGenerator<Row, void, undefined> {
  let count = 0;
  for (const row of rows) {
    yield row;
    count += 1;
    if (count % rowsAtATime === 0) await yieldToOtherRequests(deps);
  }
}
