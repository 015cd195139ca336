import { numberOf } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Output, Row } from "./output.ts";

/** The most items that a list shows, unless told otherwise. */
const shownItems = 100;

/** Options of commands that list. */
export const listOptions = {
  limit: { type: "string" },
  all: { type: "boolean" },
  ndjson: { type: "boolean" },
} as const;

export const listHelp = `
  --limit N            At most so many (default: ${shownItems})
  --all                All of them
  --json, --ndjson     Print JSON: a list, or a line for each`;

/** Of commands whose list has one page: all of it is shown. */
export const wholeList = {
  options: { ndjson: listOptions.ndjson },
  help: `
  --json, --ndjson   Print JSON: a list, or a line for each`,
  values: { all: true },
} as const;

interface Values {
  readonly limit?: string | undefined;
  readonly all?: boolean | undefined;
}

const mostOf = ({ all, limit }: Values): number =>
  all ? Number.POSITIVE_INFINITY : (numberOf("limit", limit) ?? shownItems);

/** Returns the `limit` of a request, so that no more is read than is shown. */
export const pageOf = (values: Values) => ({ limit: Math.max(1, Math.min(mostOf(values), 100)) });

/**
 * Prints a list: for people, as JSON, or as lines as they arrive.
 * @param print for people
 * @returns the exit code
 */
export async function printList<Item>(
  items: AsyncIterable<Item>,
  { values, output }: { readonly values: Values; readonly output: Output },
  print: (items: readonly Item[]) => void,
): Promise<number> {
  const most = mostOf(values);
  const read: Item[] = [];
  let count = 0;
  let hasMore = false;
  for await (const item of items) {
    if (count >= most) {
      hasMore = true;
      break;
    }
    count += 1;
    if (output.format === "ndjson") output.object(item);
    else read.push(item);
  }
  if (output.format !== "ndjson") output.result(read, () => print(read));
  if (hasMore) output.note(`There are more than ${most}: use --limit or --all.`);
  return exitCodes.ok;
}

/** Returns a function that prints items as a table. @param narrow columns whose text is cut so that it fits */
export const tableOf =
  <Item>(output: Output, head: Row, rowOf: (item: Item) => Row, narrow: readonly number[] = []) =>
  (items: readonly Item[]): void =>
    output.table(head, items.map(rowOf), narrow);
