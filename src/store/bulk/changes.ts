import { chunksBySize } from "../../lib/chunks.ts";
import { completeJob, countSlice, pending, type Slice, sliceValues } from "./progress.ts";
import { eventColumns } from "../events.ts";
import { changeFits, fittedEntry } from "../history.ts";
import { type CodeStep, toColumn } from "../codes/changes.ts";
import { remainingCodes } from "../codes/codes.ts";
import { folderExists, folderIsDeleted, placeColumns, type QrRow, qrRows } from "../codes/columns.ts";

/** A pending item of a slice, with the current row of the code it names. */
export interface SliceCode {
  readonly row: number;
  /** Null if the workspace has no such code. Deleted codes are included. */
  readonly code: QrRow | null;
  /** Whether the job has already changed the code. */
  readonly isChanged: boolean;
  /** Whether a change of its route, by this job or another request, may still be unpublished. */
  readonly isPublicationPending: boolean;
}

/** The next version of the code named by an item. */
export interface ItemStep extends CodeStep {
  readonly row: number;
}

/** The length of one JSON parameter, in characters. A character can be three bytes, and D1 allows 2 MB. */
const maxPortionLength = 500_000;

const listSql = `
  SELECT i.row_index AS item_row, i.changed AS item_changed, ${qrRows.columns("c")},
    EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = c.hash) AS is_pending
  FROM bulk_items i LEFT JOIN qr_codes c ON c.id = i.qr_id AND c.workspace_id = ?4
  WHERE ${pending} AND EXISTS (SELECT 1 FROM bulk_jobs j WHERE j.id = ?1 AND j.workspace_id = ?4)
  ORDER BY i.row_index`;

const readSliceCode = (result: Record<string, unknown>): SliceCode => ({
  row: Number(result.item_row),
  code: result.id === null ? null : qrRows.read(result),
  isChanged: result.item_changed === 1,
  isPublicationPending: result.is_pending === 1,
});

/** Returns a slice's pending items with their codes, in order. */
export async function listSliceCodes(db: D1Database, slice: Slice): Promise<SliceCode[]> {
  const { results } = await db
    .prepare(listSql)
    .bind(...sliceValues(slice))
    .all();
  return results.map(readSliceCode);
}

/** The steps in ?5 with their items and codes, if the code has not changed since the step was computed. */
const steppedCodes = `
  FROM workspaces w CROSS JOIN json_each(?5) g CROSS JOIN bulk_items i CROSS JOIN qr_codes c
  WHERE w.id = ?4 AND ${pending} AND i.row_index = g.value->>'row'
    AND c.id = i.qr_id AND c.workspace_id = w.id AND c.version = g.value->>'version'`;

const folder = "g.value->'values'->>'folder_id'";
const deletedFolder = "g.value->'values'->>'deleted_folder_id'";

/** The condition that a code's new folder exists, and that the one it waits for is still deleted. */
const placeCondition = `AND (${folder} IS NULL OR ${folderExists("?4", folder)})
  AND (${deletedFolder} IS NULL OR ${folderIsDeleted("?4", deletedFolder)})`;

/** Returns whether a step restores a deleted code. */
const isRestoration = ({ before, after }: ItemStep): boolean =>
  before.deletedAt !== null && after.deletedAt === null;

/** Returns the condition that the plan's caps and the operator allow restoring a code. @param at epoch milliseconds */
function restorationCondition({ caps, event }: ItemStep): string {
  const remaining = remainingCodes({
    liveCodes: `${caps?.liveCodes ?? null}`,
    creationsPerDay: `${caps?.creationsPerDay ?? 0}`,
    at: `${event.at}`,
  });
  return `AND (g.value->>'restoration' IS NULL OR (w.suspended IS NULL AND g.value->>'restoration' <= ${remaining}))`;
}

/**
 * Stores the next versions of the codes that a slice's items name, adds their events and history and marks the items as changed, in
 * one transaction. Running it again changes no code twice. Codes that another request has changed in the meantime, or
 * whose new folder has been deleted, or that may not be restored, are left alone.
 * @returns the slice's pending items after the change
 */
export async function changeCodes(
  db: D1Database,
  slice: Slice,
  steps: readonly ItemStep[],
): Promise<SliceCode[]> {
  const ids = sliceValues(slice);
  const restored = steps.filter(isRestoration);
  const place = restored.length === 0 ? [] : placeColumns;
  const columns = [...new Set([...steps.flatMap((step) => step.columns), ...place])];
  const ranks = new Map(restored.map((step, i) => [step, i + 1]));
  const json = steps.map((step) => {
    const { row, before, after, event, history } = step;
    return JSON.stringify({
      row,
      restoration: ranks.get(step),
      version: before.version,
      values: Object.fromEntries(columns.map(({ key, name }) => [name, toColumn(key, after[key])])),
      event,
      history,
    });
  });
  const portions = [...chunksBySize(json, maxPortionLength, (each) => each.length)];
  const conditions = [
    columns.some(({ key }) => key === "folderId") ? placeCondition : "",
    ...restored.slice(0, 1).map(restorationCondition),
  ].join(" ");
  const results = await db.batch<Record<string, unknown>>([
    ...portions.flatMap((portion) =>
      [
        `WITH pending_items AS MATERIALIZED (SELECT i.row_index, c.hash ${steppedCodes} AND i.changed IS NULL ${conditions})
         UPDATE bulk_items AS i SET changed = 1, qr_hash = pending_items.hash FROM pending_items
         WHERE i.job_id = ?1 AND i.row_index = pending_items.row_index`,
        // The events come before the update, so that both see the old rows.
        `INSERT INTO outbox (id, workspace_id, kind, data, history, created_at)
         SELECT g.value->'event'->>'id', w.id,
           ${eventColumns("g.value->'event'->>'kind'", "g.value->'event'->'data'")},
           ${fittedEntry("(g.value->'history')")}, g.value->'event'->>'at'
         ${steppedCodes} AND i.changed AND ${changeFits}`,
        `WITH pending_items AS MATERIALIZED (SELECT c.id, g.value->'values' AS new ${steppedCodes} AND i.changed)
         UPDATE qr_codes AS c SET ${columns.map(({ name }) => `${name} = pending_items.new->>'${name}'`).join(", ")}
         FROM pending_items WHERE c.id = pending_items.id`,
      ].map((sql) => db.prepare(sql).bind(...ids, `[${portion.join(",")}]`)),
    ),
    db.prepare(listSql).bind(...ids),
  ]);
  return (results.at(-1)?.results ?? []).map(readSliceCode);
}

/** The values that `settleItems` needs besides the slice. Times are epoch milliseconds. */
export interface Settlement {
  /** Why items failed, by row. All others count as succeeded, including one whose code another worker has changed. */
  readonly errors: ReadonlyMap<number, string>;
  readonly now: number;
  /** The id of the event bulk.completed, in case this slice completes the job. */
  readonly completedEventId: string;
}

/** Returns the condition that an item succeeds. @param errors by row, as JSON */
const succeeds = (errors: string) => `(i.changed IS NOT NULL OR ${errors}->>('r' || i.row_index) IS NULL)`;

/**
 * Marks a slice's pending items as succeeded or failed, counts them, and completes the job if these were the last, in
 * one transaction.
 */
export async function settleItems(
  db: D1Database,
  slice: Slice,
  { errors, now, completedEventId }: Settlement,
): Promise<void> {
  // A key consisting of digits would be read as an array index.
  const byRow = JSON.stringify(Object.fromEntries([...errors].map(([row, error]) => [`r${row}`, error])));
  await db.batch([
    // The items' values exist only while the slice is processed, so their bytes were never counted.
    countSlice(db, slice, null, succeeds("?7"), "0", byRow),
    db
      .prepare(
        `UPDATE bulk_items AS i SET status = iif(${succeeds("?5")}, 'succeeded', 'failed'),
           error = iif(${succeeds("?5")}, NULL, ?5->>('r' || row_index)), input = NULL,
           changed = iif(${succeeds("?5")}, coalesce(changed, 0), NULL),
           qr_hash = coalesce(qr_hash, (SELECT c.hash FROM qr_codes c
             WHERE c.id = i.qr_id AND c.workspace_id = ?4 AND ${succeeds("?5")}))
         WHERE ${pending}`,
      )
      .bind(...sliceValues(slice), byRow),
    ...completeJob(db, slice.jobId, completedEventId, now),
  ]);
}
