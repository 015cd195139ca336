import { limits } from "../../contract/limits.ts";
import {
  findFolders,
  folderFinder,
  type ListedFolder,
  listNewestFolders,
  searchFolders,
} from "../../domain/folders/folders.ts";
import type { Deps } from "../../domain/deps.ts";
import type { Owner } from "../../domain/identity/caller.ts";
import { findTitledPage, searchPages } from "../../domain/pages/pages.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import type { Visit } from "../frame/visit.ts";
import { type Item, type Source, withItemFound } from "./choices.ts";

/** The folders of the workspace. */
export const folderSource: Source<ListedFolder> = {
  field: "folderId",
  findField: "findFolder",
  findLabel: "Folder by name",
  noun: "folder",
  newest: ({ deps, owner }, limit) => listNewestFolders(deps, owner, limit),
  byId: ({ deps, owner }, id) => findFolder(deps, owner, id),
  find: async ({ deps, owner }, q, limit) => (await searchFolders(deps, owner, { q, limit })).items,
  named: async ({ deps, owner }, text) => {
    const id = (await folderFinder(deps, owner, [text]))(text);
    return id === undefined ? undefined : findFolder(deps, owner, id);
  },
};

const findFolder = async (deps: Deps, owner: Owner, id: string): Promise<ListedFolder | undefined> =>
  (await findFolders(deps, owner, [id]))[0];

/** The hosted pages of the workspace. */
export const pageSource: Source<Item> = {
  field: "data.pageId",
  findField: "findPage",
  findLabel: "Page by title",
  noun: "page",
  newest: ({ deps, owner }, limit) => searchPages(deps, owner, "", limit),
  byId: ({ deps, owner }, id) => findTitledPage(deps, owner, id),
  find: ({ deps, owner }, text, limit) => searchPages(deps, owner, text, limit),
  named: async ({ deps, owner }, text) => {
    const found = await searchPages(deps, owner, text, limits.choices);
    return found.find(({ name }) => foldCase(name) === foldCase(text));
  },
};

/** The labels of the fields that find an item by its name. */
export const findLabels: Readonly<Record<string, string>> = {
  [folderSource.findField]: folderSource.findLabel,
  [pageSource.findField]: pageSource.findLabel,
};

/** The fields of a code's form, with the folder and the page that were looked for. */
export async function withChoicesFound(visit: Visit): ReturnType<typeof withItemFound> {
  const found = await withItemFound(folderSource, visit);
  return "rejection" in found ? found : withItemFound(pageSource, visit, found.form);
}
