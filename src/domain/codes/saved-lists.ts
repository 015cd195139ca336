import { limits } from "../../contract/limits.ts";
import {
  firstOrder,
  type SavedFilter,
  type SavedList,
  SavedListInput,
  type SavedListUpdate,
  usualColumns,
} from "../../contract/resources/codes/saved-lists.ts";
import { newId } from "../../lib/text/ids.ts";
import * as store from "../../store/codes/saved-lists.ts";
import { isSet } from "../../store/resources/kind.ts";
import { type Caller, type Member, personOf, type WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { suspensionError } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound, requireFound, ServiceError } from "../errors.ts";
import { definedFields } from "../partial-updates.ts";
import { changeResource, createResource } from "../resources/change.ts";
import { type Reversible, requireRestorable } from "../resources/revert.ts";
import { readFilter } from "./filter.ts";

type Row = store.SavedListRow;

/** Who has lists: a person, or a key, which has none of its own. */
type Holder = WorkspaceContext | Member | Caller;

/** Requires that a request may see a list, and change the workspace's. @throws not_found, forbidden */
function requireOwn(context: Holder, { ownerId }: Row): void {
  if (ownerId === store.everyone) requirePermission(context, "codes.write");
  else if (ownerId !== personOf(context)) throw notFound("Saved list");
}

/** Returns the owner of a list that is shared, or not. @throws invalid_input if nobody could have it */
function ownerOf(context: Holder, shared: boolean): string {
  const owner = shared ? store.everyone : personOf(context);
  if (!shared && owner === store.everyone)
    throw invalid("shared", "must be true for a list that a key saves");
  return owner;
}

/** Saved lists as resources. */
export const savedListResource: Reversible<Row> = {
  kind: store.savedListKind,
  object: "saved_list",
  noun: "Saved list",
  nameOf: ({ name }) => name,
  fieldsOf: ({ name, ownerId, filter, sort, order, columns }) => ({
    ...{ name, shared: ownerId === store.everyone, filter, sort, order, columns },
  }),
  adds: (change) => isSet(change, "ownerId"),
  updated: (_, __, now) => ({ updatedAt: now }),
  async refusalOf(deps, context, { ownerId }) {
    const { workspace, person } = limits.savedLists;
    return (
      (await suspensionError(deps, context)) ??
      new ServiceError(
        "invalid_input",
        ownerId === store.everyone
          ? `A workspace can have at most ${workspace} shared lists. Delete one to share another.`
          : `You can have at most ${person} lists of your own. Delete one to save another.`,
        { status: 409 },
      )
    );
  },
  deleted(deps, context, row) {
    requireOwn(context, row);
    return { ...row, deletedAt: deps.now() };
  },
  restored(deps, context, row) {
    requireOwn(context, row);
    requireRestorable(deps, "Saved list", row);
    return { ...row, deletedAt: null };
  },
  putBack(_, context, row, fields) {
    requireOwn(context, row);
    const { name, shared, ...others } = SavedListInput.partial().parse(fields);
    const ownerId = shared === undefined ? row.ownerId : ownerOf(context, shared);
    return {
      ...row,
      ...definedFields(others),
      ...(name !== undefined && store.listNameColumns(name)),
      ownerId,
    };
  },
};

/** Returns a filter in the form in which codes are stored. @throws invalid_input */
async function storedFilter(deps: Deps, context: Holder, filter: SavedFilter): Promise<SavedFilter> {
  const read: SavedFilter = await readFilter(deps, context, filter);
  return definedFields(read) as SavedFilter;
}

/**
 * Saves a list of codes: the workspace's, for which one needs the role of an editor, or one's own.
 * @throws invalid_input, also (409) at the limit; forbidden, also in a suspended workspace
 */
export async function createSavedList(
  deps: Deps,
  context: Holder,
  {
    name,
    shared = true,
    filter = {},
    sort = "createdAt",
    order,
    columns = [...usualColumns],
  }: SavedListInput,
): Promise<SavedList> {
  requirePermission(context, shared ? "codes.write" : "codes.read");
  const now = deps.now();
  const row: Row = {
    id: newId(now),
    workspaceId: context.workspaceId,
    ownerId: ownerOf(context, shared),
    ...store.listNameColumns(name),
    filter: await storedFilter(deps, context, filter),
    ...{ sort, order: order ?? firstOrder(sort), columns },
    ...{ createdAt: now, updatedAt: now, deletedAt: null, version: 1 },
  };
  await createResource(deps, context, savedListResource, row);
  return store.presentSavedList(row);
}

/** Returns the workspace's lists and those of the person who asks, by name. */
export async function listSavedLists(deps: Deps, context: Holder): Promise<{ lists: SavedList[] }> {
  const rows = await store.listSavedLists(deps.db, context.workspaceId, personOf(context));
  return { lists: rows.map(store.presentSavedList) };
}

/** Returns one of these lists. @throws not_found */
export async function getSavedList(deps: Deps, context: Holder, id: string): Promise<SavedList> {
  const row = await store.findSavedList(deps.db, context.workspaceId, personOf(context), id);
  return store.presentSavedList(requireFound(row, "Saved list"));
}

/** Changes the given fields. @throws as createSavedList; not_found */
export async function updateSavedList(
  deps: Deps,
  context: Holder,
  id: string,
  { name, shared, filter, sort, order, columns }: SavedListUpdate,
): Promise<SavedList> {
  requirePermission(context, shared === true ? "codes.write" : "codes.read");
  const stored = filter && (await storedFilter(deps, context, filter));
  const { row } = await changeResource(deps, context, savedListResource, id, (before) => {
    if (before.deletedAt !== null) throw notFound("Saved list");
    requireOwn(context, before);
    const direction = order ?? (sort !== undefined && sort !== before.sort ? firstOrder(sort) : undefined);
    return {
      ...before,
      ...definedFields({ filter: stored, sort, order: direction, columns }),
      ...(name !== undefined && store.listNameColumns(name)),
      ...(shared !== undefined &&
        shared !== (before.ownerId === store.everyone) && { ownerId: ownerOf(context, shared) }),
    };
  });
  return store.presentSavedList(row);
}

/** Deletes a list. Its codes stay as they are. It can be restored for 30 days. @throws not_found, forbidden */
export async function deleteSavedList(deps: Deps, context: Holder, id: string): Promise<{ success: true }> {
  requirePermission(context, "codes.read");
  const { entry } = await changeResource(deps, context, savedListResource, id, (row) =>
    row.deletedAt === null ? savedListResource.deleted(deps, context, row) : row,
  );
  if (entry === null) throw notFound("Saved list");
  return { success: true };
}

/** Restores a deleted list as it was. @throws not_found, forbidden; invalid_input (409) at the limit */
export async function restoreSavedList(deps: Deps, context: Holder, id: string): Promise<SavedList> {
  requirePermission(context, "codes.read");
  const { row } = await changeResource(deps, context, savedListResource, id, (before) => {
    requireOwn(context, before);
    return before.deletedAt === null ? before : savedListResource.restored(deps, context, before);
  });
  return store.presentSavedList(row);
}
