import type { Folder, FolderInput } from "../../contract/resources/folders.ts";
import type { Deps } from "../deps.ts";
import { newId } from "../../lib/text/ids.ts";
import * as store from "../../store/folders.ts";
import type { Owner } from "../identity/caller.ts";
import { notFound } from "../errors.ts";

/** The workspace's folders, oldest first. */
export async function listFolders(deps: Deps, caller: Owner): Promise<{ folders: Folder[] }> {
  return { folders: await store.listFolders(deps.db, caller.workspaceId) };
}

export async function createFolder(deps: Deps, caller: Owner, input: FolderInput): Promise<Folder> {
  const now = deps.now();
  const row = { id: newId(now), workspaceId: caller.workspaceId, name: input.name, createdAt: now };
  return store.insertFolder(deps.db, row);
}

/** @throws not_found */
export async function renameFolder(
  deps: Deps,
  caller: Owner,
  id: string,
  input: FolderInput,
): Promise<Folder> {
  const folder = await store.renameFolder(deps.db, caller.workspaceId, id, input.name);
  if (folder === undefined) throw notFound("Folder");
  return folder;
}

/** Deletes a folder; its codes stay, unfiled. That is no edit of theirs and emits nothing. @throws not_found */
export async function deleteFolder(deps: Deps, caller: Owner, id: string): Promise<{ success: true }> {
  if (!(await store.deleteFolder(deps.db, caller.workspaceId, id))) throw notFound("Folder");
  return { success: true };
}
