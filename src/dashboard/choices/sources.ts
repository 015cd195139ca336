import { limits } from "../../contract/limits.ts";
import type { WorkspaceContext } from "../../domain/context/context.ts";
import type { Deps } from "../../domain/deps.ts";
import {
  findFolders,
  folderFinder,
  type ListedFolder,
  listNewestFolders,
  searchFolders,
} from "../../domain/folders/folders.ts";
import { findTitledPage, searchPages } from "../../domain/pages/pages.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import type { DashboardRequest } from "../frame/request.ts";
import { type Item, type Source, withItemFound } from "./choices.ts";

/** The folders of the workspace. */
export const folderSource: Source<ListedFolder> = {
  field: "folderId",
  findField: "findFolder",
  findLabel: "Folder by name",
  noun: "folder",
  newest: ({ deps, context }, limit) => listNewestFolders(deps, context, limit),
  byId: ({ deps, context }, id) => findFolder(deps, context, id),
  find: async ({ deps, context }, q, limit) => (await searchFolders(deps, context, { q, limit })).items,
  named: async ({ deps, context }, text) => {
    const id = (await folderFinder(deps, context, [text]))(text);
    return id === undefined ? undefined : findFolder(deps, context, id);
  },
};

const findFolder = async (
  deps: Deps,
  context: WorkspaceContext,
  id: string,
): Promise<ListedFolder | undefined> => (await findFolders(deps, context, [id]))[0];

/** The hosted pages of the workspace. */
export const pageSource: Source<Item> = {
  field: "data.pageId",
  findField: "findPage",
  findLabel: "Page by title",
  noun: "page",
  newest: ({ deps, context }, limit) => searchPages(deps, context, "", limit),
  byId: ({ deps, context }, id) => findTitledPage(deps, context, id),
  find: ({ deps, context }, text, limit) => searchPages(deps, context, text, limit),
  named: async ({ deps, context }, text) => {
    const found = await searchPages(deps, context, text, limits.choices);
    return found.find(({ name }) => foldCase(name) === foldCase(text));
  },
};

/** The address that suggests tags. */
export const tagSuggestions = "/dashboard/choices/tags";

/** The labels of the fields that find an item by name. */
export const findLabels: Readonly<Record<string, string>> = {
  [folderSource.findField]: folderSource.findLabel,
  [pageSource.findField]: pageSource.findLabel,
};

/** Returns the fields of a code's form, with the folder and page that were searched for. */
export async function withChoicesFound(
  request: DashboardRequest,
  form: URLSearchParams,
): ReturnType<typeof withItemFound> {
  const found = await withItemFound(folderSource, request, form);
  return "rejection" in found ? found : withItemFound(pageSource, request, found.form);
}
