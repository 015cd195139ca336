import { keptInput, pending, type Slice, sliceValues, unkeptBytes } from "./progress.ts";
import type { StagedCode } from "./staging.ts";

const ownPending = `${pending}
  AND EXISTS (SELECT 1 FROM bulk_jobs j WHERE j.id = ?1 AND j.workspace_id = ?4)`;

/** Returns the codes that a slice's pending items create, with their rows. */
export async function listPendingCodes(
  db: D1Database,
  slice: Slice,
): Promise<(StagedCode & { readonly row: number })[]> {
  const { results } = await db
    .prepare(`SELECT i.row_index AS row, i.input FROM bulk_items i WHERE ${ownPending}`)
    .bind(...sliceValues(slice))
    .all<{ row: number; input: string }>();
  return results.map(({ row, input }) => ({ ...(JSON.parse(input) as StagedCode), row }));
}

/** Returns the rows of a slice's pending items with a chosen short name. */
export async function listChosenRows(db: D1Database, slice: Slice): Promise<number[]> {
  const { results } = await db
    .prepare(
      `SELECT i.row_index AS row FROM bulk_items i WHERE ${ownPending} AND i.input->>'chosenShortName'`,
    )
    .bind(...sliceValues(slice))
    .all<{ row: number }>();
  return results.map(({ row }) => row);
}

/**
 * Fails pending items of a slice and counts them, in one transaction. They keep their input, unless it is long, so that
 * people can correct it. Repeating this has no effect.
 */
export async function rejectItems(
  db: D1Database,
  slice: Slice,
  rows: readonly number[],
  error: string,
): Promise<void> {
  const rejected = `${ownPending} AND i.row_index IN (SELECT value FROM json_each(?5))`;
  const values = [...sliceValues(slice), JSON.stringify(rows)];
  await db.batch([
    db
      .prepare(
        `UPDATE bulk_jobs SET failure_count = failure_count + (SELECT count(*) FROM bulk_items i WHERE ${rejected}),
           stored_bytes = stored_bytes - (SELECT coalesce(sum(${unkeptBytes}), 0) FROM bulk_items i WHERE ${rejected})
         WHERE id = ?1`,
      )
      .bind(...values),
    db
      .prepare(
        `UPDATE bulk_items AS i SET status = 'failed', error = ?6, input = ${keptInput} WHERE ${rejected}`,
      )
      .bind(...values, error),
  ]);
}
