import { limits } from "../../contract/limits.ts";
import {
  type Folder,
  FolderInput,
  type FolderList,
  type FolderListQuery,
} from "../../contract/resources/codes/folders.ts";
import { idLength, isId, newId } from "../../lib/text/ids.ts";
import { naturalOrder } from "../../lib/text/natural-order.ts";
import { wordsOf } from "../../lib/text/words.ts";
import * as store from "../../store/folders/folders.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { requirePermission } from "../context/permissions.ts";
import { planCapError, planOf } from "../context/plan.ts";
import { suspensionError } from "../context/suspension.ts";
import type { Deps } from "../deps.ts";
import { invalid, notFound, requireFound } from "../errors.ts";
import { parseCursor, toPage } from "../paging.ts";
import { changeResource, createResource } from "../resources/change.ts";
import { deleteResource, type Reversible, requireRestorable, restoreResource } from "../resources/revert.ts";

type ListedFolder = store.ListedFolder;

export type { ListedFolder };

/**
 * Returns the workspace's folders, oldest first: all of them, or a page.
 * @throws invalid_input for a cursor of another list
 */
export async function listFolders(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { cursor, limit }: FolderListQuery,
): Promise<FolderList> {
  if (limit === undefined && cursor === undefined) {
    return { folders: await store.listFolders(deps.db, workspaceId) };
  }
  const filters = "folders, oldest first";
  const size = limit ?? limits.qrList.max;
  const rows = await store.listFolders(deps.db, workspaceId, parseCursor(cursor, filters), size + 1);
  const { items, nextCursor } = toPage(rows, size, filters);
  return { folders: items, nextCursor };
}

/** Returns a folder of the workspace. @throws not_found */
export async function getFolder(deps: Deps, context: WorkspaceContext, id: string): Promise<ListedFolder> {
  const [folder] = await findFolders(deps, context, [id]);
  return requireFound(folder, "Folder");
}

/** Returns the workspace's folders by id, in no particular order. Omits unknown ids. */
export const findFolders = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  ids: readonly string[],
): Promise<ListedFolder[]> => store.findFolders(deps.db, workspaceId, ids);

/**
 * Returns a page of the workspace's folders, by name.
 * @param query `q`: words that a folder's name must contain
 * @throws invalid_input for a cursor of another list
 */
export async function searchFolders(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  { q = "", cursor, limit }: { q?: string; cursor?: string | undefined; limit: number },
): Promise<{ items: ListedFolder[]; nextCursor: string | null }> {
  const words = wordsOf(q, limits.folderName);
  const after = parseCursor(cursor, { folders: words }, (text) => isId(text.slice(-idLength)));
  const position =
    after === null ? null : { nameOrder: after.slice(0, -idLength), id: after.slice(-idLength) };
  const rows = await store.searchFolders(deps.db, workspaceId, words, position, limit + 1);
  return toPage(rows, limit, { folders: words }, ({ nameOrder, id }) => nameOrder + id);
}

/** Returns the workspace's newest folders. */
export const listNewestFolders = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  limit: number,
): Promise<ListedFolder[]> => store.listNewestFolders(deps.db, workspaceId, limit);

/**
 * Finds folders by id or by name, ignoring case. Of folders with the same name, finds the oldest.
 * @returns a function from such a text to the folder's id; undefined if there is none
 */
export async function folderFinder(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  texts: readonly string[],
): Promise<(text: string) => string | undefined> {
  const unique = [...new Set(texts)];
  const [ids, byName] = await Promise.all([
    store.filterOwnedFolderIds(deps.db, workspaceId, unique.filter(isId)),
    store.findFolderIdsByName(deps.db, workspaceId, unique.map(naturalOrder)),
  ]);
  return (text) => (ids.has(text) ? text : byName.get(naturalOrder(text)));
}

/** Counts the codes in folders, by id, up to `limits.countedCodes`. */
export const countCodesInFolders = (
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  ids: readonly string[],
): Promise<Map<string, number>> => store.countCodesInFolders(deps.db, workspaceId, ids, limits.countedCodes);

/** Folders as resources. */
export const folderResource: Reversible<store.FolderRow> = {
  kind: store.folderKind,
  object: "folder",
  noun: "Folder",
  nameOf: ({ name }) => name,
  fieldsOf: ({ name }) => ({ name }),
  capsOf: ({ folders }) => ({ folders }),
  refusalOf: async (deps, context) =>
    (await suspensionError(deps, context)) ??
    planCapError(context, `${planOf(context).folders} folders`, "Delete some, or upgrade to create more."),
  deleted: (deps, _, row) => ({ ...row, deletedAt: deps.now() }),
  restored(deps, _, row) {
    requireRestorable(deps, "Folder", row);
    return { ...row, deletedAt: null };
  },
  putBack: (_, __, row, fields) => ({ ...row, ...store.nameColumns(FolderInput.parse(fields).name) }),
};

/** Creates a folder. @throws plan_limit at the plan's cap; forbidden in a suspended workspace */
export async function createFolder(
  deps: Deps,
  context: WorkspaceContext,
  { name }: FolderInput,
): Promise<Folder> {
  requirePermission(context, "codes.write");
  const now = deps.now();
  const { workspaceId } = context;
  const row = {
    ...store.nameColumns(name),
    id: newId(now),
    workspaceId,
    createdAt: now,
    deletedAt: null,
    version: 1,
  };
  await createResource(deps, context, folderResource, row);
  return store.presentFolder(row);
}

/** @throws not_found */
export async function renameFolder(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  { name }: FolderInput,
): Promise<Folder> {
  requirePermission(context, "codes.write");
  const { row } = await changeResource(deps, context, folderResource, id, (before) => {
    if (before.deletedAt !== null) throw notFound("Folder");
    return { ...before, ...store.nameColumns(name) };
  });
  return store.presentFolder(row);
}

/** Deletes a folder. Its codes remain, without a folder, and no events are emitted for them. @throws as deleteResource */
export const deleteFolder = (deps: Deps, context: WorkspaceContext, id: string): Promise<{ success: true }> =>
  deleteResource(deps, context, folderResource, id);

/**
 * Restores a deleted folder, with its codes that have not been moved into another folder since; no events are emitted for
 * them. @throws as restoreResource
 */
export const restoreFolder = async (deps: Deps, context: WorkspaceContext, id: string): Promise<Folder> =>
  store.presentFolder(await restoreResource(deps, context, folderResource, id));

/** The error for a folder that the workspace doesn't have. */
export const unknownFolder = () => invalid("folderId", "isn't a folder of this workspace");
