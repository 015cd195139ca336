import { type CodeCaps, codes, type QrRow } from "../codes/columns.ts";
import { type ChangeItem, type StoredChanges, storeChanges } from "../resources/changes.ts";
import { type Current, isPending } from "../resources/find.ts";
import type { Change } from "../resources/kind.ts";
import { pending, type Settlement, type Slice, settle } from "./progress.ts";
import type { RowChange, StagedCode } from "./staging.ts";

/** A code that a pending item of a slice creates. */
export interface SliceCreation {
  readonly row: number;
  readonly code: StagedCode;
}

/** Returns the codes that a slice's pending items create, in order. */
export async function listSliceCreations(
  db: D1Database,
  { jobId, from, size, workspaceId }: Slice,
): Promise<SliceCreation[]> {
  const { results } = await db
    .prepare(
      `SELECT i.row_index AS row, i.input FROM bulk_items i
       WHERE ${pending} AND i.qr_id IS NULL
         AND EXISTS (SELECT 1 FROM bulk_jobs j WHERE j.id = ?1 AND j.workspace_id = ?4)
       ORDER BY i.row_index`,
    )
    .bind(jobId, from, size, workspaceId)
    .all<{ row: number; input: string }>();
  return results.map(({ row, input }) => ({ row, code: JSON.parse(input) as StagedCode }));
}

/** A pending item of a slice, with the current row of the code it names. */
export interface SliceCode extends Omit<Current<QrRow>, "row"> {
  readonly row: number;
  /** Null if the workspace has no such code. Deleted codes are included. */
  readonly code: QrRow | null;
  /** Whether the job has already changed the code. */
  readonly isChanged: boolean;
  /** The item's own change, or only its conditions; null where all items have the same. */
  readonly own: Partial<RowChange> | null;
}

const listChanges = (db: D1Database, { jobId, from, size, workspaceId }: Slice): D1PreparedStatement =>
  db
    .prepare(
      `SELECT i.row_index AS item_row, i.changed AS item_changed, i.input AS item_input, ${codes.rows.columns("c")}, ${isPending(codes)} AS is_pending
       FROM bulk_items i LEFT JOIN qr_codes c ON c.id = i.qr_id AND c.workspace_id = ?4
       WHERE ${pending} AND i.qr_id IS NOT NULL
         AND EXISTS (SELECT 1 FROM bulk_jobs j WHERE j.id = ?1 AND j.workspace_id = ?4)
       ORDER BY i.row_index`,
    )
    .bind(jobId, from, size, workspaceId);

const readSliceCode = (result: Record<string, unknown>): SliceCode => ({
  row: Number(result.item_row),
  code: result.id === null ? null : codes.rows.read(result),
  isChanged: result.item_changed === 1,
  own: typeof result.item_input === "string" ? (JSON.parse(result.item_input) as Partial<RowChange>) : null,
  isPublicationPending: result.is_pending === 1,
});

/** Returns a slice's pending items with their codes, in order. */
export const listSliceCodes = async (db: D1Database, slice: Slice): Promise<SliceCode[]> =>
  (await listChanges(db, slice).all()).results.map(readSliceCode);

/** The next version of the code named by an item, or the code that it creates. */
export type ItemChange = Change<QrRow> & { readonly row: number };

const itemOf = ({ jobId }: Slice, mark?: ChangeItem["mark"]): ChangeItem => ({
  isPending: `EXISTS (SELECT 1 FROM bulk_items i
    WHERE i.job_id = ?4 AND i.row_index = s.value->>'row' AND i.status = 'pending')`,
  ...(mark && { mark }),
  values: [jobId],
});

/** Marks items as changed, so that a repeated slice changes no code twice. */
const markChanged = (stored: string): string =>
  `WITH stored AS MATERIALIZED (SELECT s.value->>'row' AS item_row, s.value->>'at' AS at, c.hash ${stored})
   UPDATE bulk_items AS i SET changed = 1, qr_hash = stored.hash, updated_at = stored.at FROM stored
   WHERE i.job_id = ?4 AND i.row_index = stored.item_row AND i.changed IS NULL`;

/**
 * Stores the next versions of the codes that a slice's items name, and marks the items as changed, in one transaction.
 * Running it again changes no code twice. Codes that another request has changed in the meantime, or whose new folder
 * has been deleted, or that may not be restored, are left alone.
 * @returns the slice's pending items after the change
 */
export async function changeCodes(
  db: D1Database,
  slice: Slice,
  changes: readonly ItemChange[],
  caps: CodeCaps,
): Promise<SliceCode[]> {
  const options = { caps: { ...caps }, item: itemOf(slice, markChanged), after: [listChanges(db, slice)] };
  const { results } = await storeChanges(db, codes, slice.workspaceId, changes, options);
  return (results[0]?.results ?? []).map(readSliceCode);
}

/**
 * Creates codes of a slice and settles their items and those with errors, in one transaction. Running it again creates
 * no code twice, since ids are assigned when the rows are staged.
 * @returns the ids of the created codes, and whether the lease was still held and is renewed
 * @throws if a hash already exists (see isUniqueViolation)
 */
export async function createCodes(
  db: D1Database,
  slice: Slice,
  changes: readonly ItemChange[],
  caps: CodeCaps,
  settlement: Settlement & Required<Pick<Settlement, "renewal">>,
): Promise<Pick<StoredChanges, "ids"> & { readonly isHeld: boolean }> {
  const after = settle(db, slice, settlement);
  const options = { caps: { ...caps }, item: itemOf(slice), after };
  const { ids, results } = await storeChanges(db, codes, slice.workspaceId, changes, options);
  const { lease, until } = settlement.renewal;
  const isHeld = results[0]?.results[0]?.resumeAt === until;
  if (isHeld) lease.until = until;
  return { ids, isHeld };
}

/** Settles a slice's pending items, in one transaction. */
export async function settleItems(db: D1Database, slice: Slice, settlement: Settlement): Promise<void> {
  await db.batch(settle(db, slice, settlement));
}
