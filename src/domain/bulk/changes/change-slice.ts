import { codeRoute } from "../../../edge/routing/routes.ts";
import { newId } from "../../../lib/text/ids.ts";
import type { Slice } from "../../../store/bulk/progress.ts";
import {
  changeCodes,
  type ItemChange,
  listSliceCodes,
  type SliceCode,
  settleItems,
} from "../../../store/bulk/slice.ts";
import type { QrRow } from "../../../store/codes/columns.ts";
import { isStorageFull } from "../../../store/database-errors.ts";
import type { JobChange } from "../../../store/schema/bulk.ts";
import { aliasOfEarlierRow, changedAddresses, trackAliases } from "../../codes/addresses.ts";
import { codeResource } from "../../codes/resource.ts";
import type { WorkspaceContext } from "../../context/context.ts";
import { planOf } from "../../context/plan.ts";
import type { Deps } from "../../deps.ts";
import { storageFull } from "../../errors.ts";
import { changeOf } from "../../resources/resource.ts";
import { publishToFeeds } from "../../routing/publish.ts";
import { publishAliases } from "../../routing/publish-aliases.ts";
import { yielding } from "../../yielding.ts";
import { enqueueRepublication } from "../fill.ts";
import { rowError } from "../rows/cells.ts";
import { codeNotFound } from "../rows/find-rows.ts";
import { prepareChanges } from "./prepare-changes.ts";

/** Attempts to change a slice's codes while other requests change them, too. */
const maxRounds = 5;

/** A slice after its codes were changed. */
export interface ChangedSlice {
  readonly slice: Slice;
  /** Its pending items. */
  readonly items: readonly SliceCode[];
  /** Why codes could not be changed, by row. */
  readonly errors: ReadonlyMap<number, string>;
}

/**
 * Changes the codes that a slice's items name. It can be interrupted and repeated at any point: items marked as changed
 * are then only published and settled.
 * @throws if other requests keep changing a code
 */
export async function changeSlice(
  deps: Deps,
  context: WorkspaceContext,
  change: JobChange,
  slice: Slice,
): Promise<ChangedSlice> {
  const errors = new Map<number, string>();
  /** The versions of codes that already match the change, by row. */
  const unchanged = new Map<number, number>();
  const isOpen = ({ row, code, isChanged }: SliceCode) =>
    !isChanged && !errors.has(row) && (code === null || unchanged.get(row) !== code.version);
  let items = await listSliceCodes(deps.db, slice);
  for (let round = 1; round <= maxRounds && items.some(isOpen); round += 1) {
    items = await changeOpenItems(deps, context, change, slice, items.filter(isOpen), {
      items,
      errors,
      unchanged,
    });
  }
  if (items.some(isOpen)) {
    await publishSlice(deps, slice, items);
    throw new Error(`codes of bulk job ${slice.jobId} keep changing`);
  }
  return { slice, items, errors };
}

/**
 * Publishes the routes of a slice's codes and then settles its items, so that scans follow a code by the time its item
 * has succeeded. Can be repeated, even concurrently.
 */
export async function settleSlice(deps: Deps, { slice, items, errors }: ChangedSlice): Promise<void> {
  await publishSlice(deps, slice, items);
  const now = deps.now();
  await settleItems(deps.db, slice, { errors, now, completedEventId: newId(now) });
}

interface Results {
  /** All pending items of the slice. */
  readonly items: SliceCode[];
  readonly errors: Map<number, string>;
  readonly unchanged: Map<number, number>;
}

/** @returns the slice's pending items after the change */
async function changeOpenItems(
  deps: Deps,
  context: WorkspaceContext,
  change: JobChange,
  slice: Slice,
  open: readonly SliceCode[],
  { items, errors, unchanged }: Results,
): Promise<SliceCode[]> {
  const live: { row: number; own: SliceCode["own"]; code: QrRow }[] = [];
  for (const { row, own, code } of open) {
    // Only a deletion can be reverted for a deleted code; the others say so.
    if (code === null || (code.deletedAt !== null && change.revert === undefined)) {
      errors.set(row, codeNotFound);
    } else live.push({ row, own, code });
  }
  const prepared = await prepareChanges(deps, context, change, live);
  const changes: ItemChange[] = [];
  const isTaken = trackAliases();
  for await (const { row, own, code } of yielding(deps, live)) {
    const error = prepared.errors.get(code.id);
    const edited = prepared.rows.get(code.id);
    if (error !== undefined) errors.set(row, rowError(error, own?.cells !== undefined));
    if (edited === undefined) continue;
    const revertOf = prepared.reverted.get(code.id);
    const change = changeOf(deps, codeResource, code, edited, {
      actor: context.actor,
      jobId: slice.jobId,
      revertOf,
    });
    if (change === undefined) unchanged.set(row, code.version);
    else if (isTaken(change.after)) errors.set(row, aliasOfEarlierRow().message);
    else changes.push({ ...change, row });
  }
  if (changes.length === 0) return items;
  let current = items;
  const refused = await storeWithSpace(changes, byGrowth, async (some) => {
    current = await changeCodes(deps.db, slice, some, planOf(context));
  });
  for (const { row } of refused) errors.set(row, storageFull().message);
  const addresses = changes.flatMap(({ before, after }) => changedAddresses(before, after));
  await publishAliases(deps, context.workspaceId, addresses);
  return current;
}

/**
 * Stores changes in one transaction. If the workspace lacks space for all of them, stores the parts that `split` returns, so
 * that only changes that need space are refused.
 * @returns the refused changes
 */
async function storeWithSpace(
  changes: readonly ItemChange[],
  split: (changes: readonly ItemChange[]) => readonly (readonly ItemChange[])[],
  store: (changes: readonly ItemChange[]) => Promise<void>,
): Promise<ItemChange[]> {
  try {
    await store(changes);
    return [];
  } catch (error) {
    if (!isStorageFull(error)) throw error;
  }
  const parts = split(changes).filter((part) => part.length > 0);
  if (parts.length < 2) return [...changes];
  const refused: ItemChange[] = [];
  for (const part of parts) refused.push(...(await storeWithSpace(part, split, store)));
  return refused;
}

/** Separates changes that need no more space from those that do. */
const byGrowth = (changes: readonly ItemChange[]) => [
  changes.filter((change) => !isGrowing(change)),
  changes.filter(isGrowing),
];

function isGrowing({ before, after, columns }: ItemChange): boolean {
  const size = (row: QrRow | null) =>
    JSON.stringify(columns.map(({ key, counted }) => counted === true && row?.[key])).length;
  return size(after) > size(before);
}

/**
 * Publishes all pending route changes of a slice's codes, whichever request made them, to the feeds. The route cache gets
 * them later from the queue, once and after any write that began before: a scan that knows the newer version doesn't
 * need it.
 */
export async function publishSlice(deps: Deps, slice: Slice, items: readonly SliceCode[]): Promise<void> {
  const pending = items.flatMap(({ code, isPublicationPending }) =>
    isPublicationPending && code ? [code] : [],
  );
  if (pending.length === 0) return;
  const at = deps.now();
  const isPublished = await publishToFeeds(deps, pending.map(publicationOf));
  await enqueueRepublication(deps, slice, isPublished ? { codes: pending, at } : null);
}

const publicationOf = (code: QrRow) => ({ key: code.hash, route: codeRoute(code) });
