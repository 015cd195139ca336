import type { EventKind } from "../contract/resources/enums.ts";
import { chunksBySize } from "../lib/chunks.ts";
import type { Lease } from "./bulk-lease.ts";
import {
  completeJob,
  countSlice,
  type Progress,
  pending,
  renewedLease,
  type Slice,
} from "./bulk-progress.ts";
import type { SeenColors } from "./code-changes.ts";
import { assignmentsOf, changeEventSql } from "./code-events.ts";
import { type QrRow, qrRows } from "./code-columns.ts";
import { changeSql, settableColumns, type Values } from "./settable-columns.ts";

/** A pending item of a slice, and the code that it names, as it is now. */
export interface SliceCode {
  readonly row: number;
  /** Null if the workspace has no such code. A deleted one is included. */
  readonly code: QrRow | null;
  /** Whether the job has changed the code already. */
  readonly isChanged: boolean;
  /** Whether a change of its route, by this job or another request, may not have been published yet. */
  readonly isPublicationPending: boolean;
}

/** The new values of one code. */
export interface CodeValues {
  /** The code's version that the values were made for; a code with another one is left as it is. */
  readonly version: number;
  readonly given: Values;
  readonly seenColors: SeenColors;
}

/** The new values of the code that an item names, and the id of the event that reports its change. */
export interface ItemValues extends CodeValues {
  readonly row: number;
  readonly eventId: string;
}

/** Characters of one JSON parameter; a character can be three bytes, and D1 takes 2 MB. */
const maxPortionLength = 500_000;

const bound = ({ jobId, from, size, workspaceId }: Slice) => [jobId, from, size, workspaceId];

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

/** The pending items of a slice with their codes, in order. */
export async function listSliceCodes(db: D1Database, slice: Slice): Promise<SliceCode[]> {
  const { results } = await db
    .prepare(listSql)
    .bind(...bound(slice))
    .all();
  return results.map(readSliceCode);
}

const [ofValue, ofInput] = [settableColumns("g.value"), settableColumns("i.input")];

/** Items whose code this transaction changes: their values were made for the version that the code has. */
const marked = `${pending} AND i.input IS NOT NULL AND i.changed AND c.workspace_id = ?4
  AND c.version = i.input->>'version'`;

/**
 * Changes codes that items of a slice name and adds their events, in one transaction, which also marks the items as
 * changed: repeating it changes no code twice. A code that has another version, or has these values already, stays as it
 * is.
 * @param names of the values, which all items have
 * @returns the slice's pending items after the change
 */
export async function changeCodes(
  db: D1Database,
  slice: Slice,
  kind: EventKind,
  names: readonly (keyof Values)[],
  items: readonly ItemValues[],
  { at, scanOrigin }: { readonly at: number; readonly scanOrigin: string },
): Promise<SliceCode[]> {
  const ids = bound(slice);
  const { isChangeable } = changeSql(ofValue, names, "g.value", "?5");
  const { values, changed } = changeSql(ofInput, names, "i.input", "?5");
  const json = items.map(({ row, version, eventId, given, seenColors }) =>
    JSON.stringify({ ...given, row, version, eventId, seenColors }),
  );
  const results = await db.batch<Record<string, unknown>>([
    ...[...chunksBySize(json, maxPortionLength, (each) => each.length)].map((portion) =>
      db
        .prepare(
          `UPDATE bulk_items AS i SET input = g.value, changed = 1, qr_hash = c.hash
           FROM json_each(?5) g CROSS JOIN qr_codes c
           WHERE ${pending} AND i.row_index = g.value->>'row' AND i.changed IS NULL
             AND c.id = i.qr_id AND c.workspace_id = ?4 AND c.version = g.value->>'version' AND ${isChangeable}`,
        )
        .bind(...ids, `[${portion.join(",")}]`),
    ),
    // The events come before the update, so that both read the old rows.
    db
      .prepare(
        changeEventSql({
          kind,
          values,
          source: "bulk_items i CROSS JOIN qr_codes c ON c.id = i.qr_id",
          condition: marked,
          ...(kind === "qr.updated" ? { changed } : {}),
          parameters: { eventId: "i.input->>'eventId'", origin: "?6", at: "?5" },
        }),
      )
      .bind(...ids, at, scanOrigin),
    db
      .prepare(
        `UPDATE qr_codes AS c SET ${assignmentsOf(values)} FROM bulk_items i WHERE c.id = i.qr_id AND ${marked}`,
      )
      .bind(...ids, at),
    db.prepare(listSql).bind(...ids),
  ]);
  return (results.at(-1)?.results ?? []).map(readSliceCode);
}

/**
 * What a change would make of codes of the workspace, by id. Those that it would leave as they are are not included.
 * @param names of the values, which all codes have
 */
export async function previewChanges(
  db: D1Database,
  workspaceId: string,
  names: readonly (keyof Values)[],
  codes: readonly (CodeValues & { readonly id: string })[],
  at: number,
): Promise<Map<string, QrRow>> {
  const { values, isChangeable } = changeSql(ofValue, names, "g.value", "?3");
  const { results } = await db
    .prepare(
      `SELECT ${qrRows.columns("c", values)} FROM json_each(?1) g CROSS JOIN qr_codes c ON c.id = g.value->>'id'
       WHERE c.workspace_id = ?2 AND c.version = g.value->>'version' AND ${isChangeable}`,
    )
    .bind(
      JSON.stringify(
        codes.map(({ id, version, given, seenColors }) => ({ ...given, id, version, seenColors })),
      ),
      workspaceId,
      at,
    )
    .all();
  return new Map(results.map(qrRows.read).map((row) => [row.id, row]));
}

/** The values that the statements of `settleItems` need besides the slice. Times are epoch milliseconds. */
export interface Settlement {
  /** Why items failed, by row; the others have succeeded. */
  readonly errors: ReadonlyMap<number, string>;
  readonly now: number;
  /** The id of the event bulk.completed, in case this slice completes the job. */
  readonly completedEventId: string;
  /** Until when the job is held after the slice. */
  readonly until: number;
}

/**
 * Marks the pending items of a slice as succeeded or failed, counts them, and completes the job if they were its last, in
 * one transaction.
 * @returns the lease, renewed; undefined if another worker has the job
 */
export async function settleItems(
  db: D1Database,
  slice: Slice,
  lease: Lease,
  { errors, now, completedEventId, until }: Settlement,
): Promise<Lease | undefined> {
  const { jobId } = slice;
  // A key of digits would be read as an index of an array.
  const byRow = JSON.stringify(Object.fromEntries([...errors].map(([row, error]) => [`r${row}`, error])));
  const [progress] = await db.batch<Progress>([
    // The items' values, which are there for the time of a slice only, were never counted.
    countSlice(db, slice, lease, until, "?7->>('r' || i.row_index) IS NULL", "0", byRow),
    db
      .prepare(
        `UPDATE bulk_items AS i SET status = iif(?5->>('r' || row_index) IS NULL, 'succeeded', 'failed'),
           error = ?5->>('r' || row_index), input = NULL,
           changed = iif(?5->>('r' || row_index) IS NULL, coalesce(changed, 0), NULL),
           qr_hash = coalesce(qr_hash, (SELECT c.hash FROM qr_codes c
             WHERE c.id = i.qr_id AND c.workspace_id = ?4 AND ?5->>('r' || row_index) IS NULL))
         WHERE ${pending}`,
      )
      .bind(...bound(slice), byRow),
    ...completeJob(db, jobId, completedEventId, now),
  ]);
  return renewedLease(progress, jobId, until);
}
