import type { Folder, FolderInput } from "../../contract/resources/folders.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import * as store from "../../store/folders.ts";
import { mostCounted } from "./counts.ts";
import type { Owner } from "../identity/caller.ts";
import { invalid, notFound, requireFound } from "../errors.ts";

/** The workspace's folders, oldest first. */
export async function listFolders(deps: Deps, owner: Owner): Promise<{ folders: Folder[] }> {
  return { folders: await store.listFolders(deps.db, owner.workspaceId) };
}

/** A folder of the workspace. @throws not_found */
export async function getFolder(deps: Deps, owner: Owner, id: string): Promise<Folder> {
  const { folders } = await listFolders(deps, owner);
  return requireFound(
    folders.find((folder) => folder.id === id),
    "Folder",
  );
}

/** The number of codes in each folder, by its id, up to `mostCounted`. */
export const countCodesInFolders = (deps: Deps, { workspaceId }: Owner): Promise<Map<string, number>> =>
  store.countCodesInFolders(deps.db, workspaceId, mostCounted);

/** Creates a folder. */
export async function createFolder(deps: Deps, owner: Owner, input: FolderInput): Promise<Folder> {
  const now = deps.now();
  const row = { id: newId(now), workspaceId: owner.workspaceId, name: input.name, createdAt: now };
  return store.insertFolder(deps.db, row);
}

/** @throws not_found */
export async function renameFolder(
  deps: Deps,
  owner: Owner,
  id: string,
  input: FolderInput,
): Promise<Folder> {
  return requireFound(await store.renameFolder(deps.db, owner.workspaceId, id, input.name), "Folder");
}

/** Deletes a folder. Its codes stay, without a folder; no events are emitted for them. @throws not_found */
export async function deleteFolder(deps: Deps, owner: Owner, id: string): Promise<{ success: true }> {
  if (!(await store.deleteFolder(deps.db, owner.workspaceId, id))) throw notFound("Folder");
  return { success: true };
}

/** Checks that a code's folder, if it has one, is the workspace's. @throws invalid_input */
export async function requireFolder(
  deps: Deps,
  owner: Owner,
  folderId: string | null | undefined,
): Promise<void> {
  if (!folderId) return;
  requireFolderIn(await store.filterOwnedFolderIds(deps.db, owner.workspaceId, [folderId]), folderId);
}

/** The same for folders that have been looked up. @param folderIds of the workspace */
export function requireFolderIn(folderIds: ReadonlySet<string>, folderId: string | null | undefined): void {
  if (folderId && !folderIds.has(folderId)) throw invalid("folderId", "is not a folder of this workspace");
}
