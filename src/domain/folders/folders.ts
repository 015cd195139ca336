import { limits } from "../../contract/limits.ts";
import { type Folder, FolderInput } from "../../contract/resources/codes/folders.ts";
import type { Deps } from "../deps.ts";
import { idLength, isId, newId } from "../../lib/text/ids.ts";
import { naturalOrder } from "../../lib/text/natural-order.ts";
import { wordsOf } from "../../lib/text/words.ts";
import * as store from "../../store/folders/folders.ts";
import { creationOf } from "../../store/history.ts";
import type { WorkspaceContext } from "../context/context.ts";
import { invalid, notFound, requireFound } from "../errors.ts";
import { newEntry } from "../history/entries.ts";
import { changesBetween } from "../../lib/changes.ts";
import { changedFields, fieldsBefore, undoingOf } from "../history/revertible.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { untilStored } from "../lost-races.ts";
import { parseCursor, toPage } from "../paging.ts";
import { isRestorable, restorableAfter } from "../restorable.ts";
import { requireNotSuspended } from "../context/suspension.ts";
import { planCapError, planOf } from "../context/plan.ts";
import { requirePermission } from "../context/permissions.ts";

type ListedFolder = store.ListedFolder;

export type { ListedFolder };

/** Returns all of the workspace's folders, oldest first, for the API. */
export async function listFolders(deps: Deps, context: WorkspaceContext): Promise<{ folders: Folder[] }> {
  return { folders: await store.listFolders(deps.db, context.workspaceId) };
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

/** Creates a folder. @throws plan_limit at the plan's cap; forbidden in a suspended workspace */
export async function createFolder(
  deps: Deps,
  context: WorkspaceContext,
  input: FolderInput,
): Promise<Folder> {
  requirePermission(context, "codes.write");
  const now = deps.now();
  const row = { id: newId(now), workspaceId: context.workspaceId, name: input.name, createdAt: now };
  const cap = planOf(context).folders;
  const entry = newEntry(deps, context, "folder.created", {
    ...row,
    changes: creationOf({ name: row.name }),
  });
  if (!(await store.insertFolder(deps.db, row, cap, entry))) {
    await requireNotSuspended(deps, context);
    throw folderCapError(context);
  }
  return store.presentFolder(row);
}

/** @throws not_found */
export async function renameFolder(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
  input: FolderInput,
): Promise<Folder> {
  requirePermission(context, "codes.write");
  return untilStored(deps, "folder", async () =>
    rename(deps, context, await requireFolderRow(deps, context, id), input),
  );
}

/** @returns `lost` if the folder has changed since it was read */
async function rename(
  deps: Deps,
  context: WorkspaceContext,
  before: store.NewFolder,
  { name }: FolderInput,
): Promise<Folder | "lost"> {
  const changes = changesBetween({ name: before.name }, { name });
  if (Object.keys(changes).length === 0) return store.presentFolder(before);
  const entry = newEntry(deps, context, "folder.updated", { id: before.id, name, changes });
  const isStored = await store.renameFolder(deps.db, before, name, entry);
  return isStored ? store.presentFolder({ ...before, name }) : "lost";
}

/** Returns the row of a folder that isn't deleted. @throws not_found */
async function requireFolderRow(deps: Deps, { workspaceId }: WorkspaceContext, id: string) {
  const row = await store.findFolderRow(deps.db, workspaceId, id);
  if (row === undefined || row.deletedAt !== null) throw notFound("Folder");
  return row;
}

/**
 * Deletes a folder. Its codes remain, without a folder, and no events are emitted for them. It can be restored for 30
 * days. @throws not_found
 */
export async function deleteFolder(
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<{ success: true }> {
  requirePermission(context, "codes.write");
  return untilStored(deps, "folder", async () =>
    remove(deps, context, await requireFolderRow(deps, context, id)),
  );
}

/** @returns `lost` if the folder has changed since it was read */
async function remove(
  deps: Deps,
  context: WorkspaceContext,
  before: store.NewFolder,
): Promise<{ success: true } | "lost"> {
  const entry = newEntry(deps, context, "folder.deleted", { ...before, changes: {} });
  return (await store.deleteFolder(deps.db, before, deps.now(), entry)) ? { success: true } : "lost";
}

/**
 * Restores a deleted folder, with its codes that have not been moved into another folder since; no events are emitted for
 * them. A folder that isn't deleted stays as it is.
 * @throws not_found, also 30 days after the deletion; plan_limit at the plan's cap; forbidden in a suspended workspace
 */
export async function restoreFolder(deps: Deps, context: WorkspaceContext, id: string): Promise<Folder> {
  requirePermission(context, "codes.write");
  return untilStored(deps, "folder", async () => {
    const row = requireFound(await store.findFolderRow(deps.db, context.workspaceId, id), "Folder");
    return row.deletedAt === null ? store.presentFolder(row) : restore(deps, context, row);
  });
}

/** @returns `lost` if the folder isn't deleted any more */
async function restore(
  deps: Deps,
  context: WorkspaceContext,
  { id, name }: store.NewFolder,
): Promise<Folder | "lost"> {
  const { workspaceId } = context;
  const now = deps.now();
  const cap = planOf(context).folders;
  const entry = newEntry(deps, context, "folder.restored", { id, name, changes: {} });
  const restored = await store.restoreFolder(deps.db, workspaceId, id, restorableAfter(now), cap, entry);
  if (restored !== undefined) return restored;
  const row = await store.findFolderRow(deps.db, workspaceId, id);
  if (row?.deletedAt === null) return "lost";
  if (row === undefined || !isRestorable(row.deletedAt, now)) throw notFound("Folder");
  await requireNotSuspended(deps, context);
  throw folderCapError(context);
}

/** Undoes a change of a folder. @throws not_found; invalid_input if it has changed since; errors of the change */
export async function revertFolder(
  deps: Deps,
  context: WorkspaceContext,
  entry: HistoryEntry,
): Promise<void> {
  await untilStored(deps, "folder", async () => {
    const found = await store.findFolderRow(deps.db, context.workspaceId, entry.object.id);
    const row = requireFound(found, "Folder");
    const since = changedFields({ name: row.name }, entry.changes);
    switch (undoingOf(entry, row.deletedAt !== null, since)) {
      case "restore":
        return restore(deps, context, row);
      case "delete":
        return remove(deps, context, row);
      case "put back":
        return rename(deps, context, row, FolderInput.parse(fieldsBefore(entry.changes)));
    }
  });
}

const folderCapError = (context: WorkspaceContext) =>
  planCapError(context, `${planOf(context).folders} folders`, "Delete some, or upgrade to create more.");

/** Checks that a code's folder, if any, belongs to the workspace. @throws invalid_input */
export async function requireFolder(
  deps: Deps,
  context: WorkspaceContext,
  folderId: string | null | undefined,
): Promise<void> {
  if (!folderId) return;
  requireFolderIn(await store.filterOwnedFolderIds(deps.db, context.workspaceId, [folderId]), folderId);
}

/** The same for folders already looked up. @param folderIds of the workspace */
export function requireFolderIn(folderIds: ReadonlySet<string>, folderId: string | null | undefined): void {
  if (folderId && !folderIds.has(folderId)) throw unknownFolder();
}

/** The error for a folder that the workspace doesn't have. */
export const unknownFolder = () => invalid("folderId", "isn't a folder of this workspace");
