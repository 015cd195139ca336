import { limits } from "../../contract/limits.ts";
import {
  findFolders,
  type ListedFolder,
  listNewestFolders,
  searchFolders,
} from "../../domain/codes/folders.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import type { Rejection } from "../frame/submit-form.ts";
import type { Visit } from "../frame/visit.ts";

const { folderChoices: maxChoices } = limits;

/** The newest folders in a select that has not all of them, beside a field to find the others by name. */
const newest = 50;

/** The field with a part of a folder's name, and its label. */
export const findField = "findFolder";
export const findLabels = { [findField]: "Folder by name" } as const;

/** The address of the list of folders whose names have words. */
export const folderListAddress = (text: string): string =>
  `/dashboard/folders?${new URLSearchParams({ q: text })}`;

/** The folders that a form has to choose from. */
export interface FolderChoices {
  /** By name. */
  readonly folders: readonly ListedFolder[];
  /** Whether there are others, so that the form needs a field to find them. */
  readonly hasMore: boolean;
}

const byName = new Intl.Collator("en", { numeric: true });

/**
 * The folders to choose from: all, if they are few; otherwise those that a text finds, or else the newest.
 * @param values of the form: the folder that is chosen is always among them
 */
export async function folderChoices(
  { deps, owner }: Visit,
  values: URLSearchParams,
  field = "folderId",
): Promise<FolderChoices> {
  const chosen = values.get(field) ?? "";
  const text = values.get(findField)?.trim() ?? "";
  const all = await listNewestFolders(deps, owner, maxChoices + 1);
  const hasMore = all.length > maxChoices;
  const found = hasMore && text !== "" ? await find(deps, owner, text) : [];
  const offered = !hasMore ? all : found.length > 0 ? found : all.slice(0, newest);
  const isMissing = chosen !== "" && !offered.some(({ id }) => id === chosen);
  const folders = isMissing ? [...offered, ...(await findFolders(deps, owner, [chosen]))] : offered;
  return { folders: folders.toSorted((a, b) => byName.compare(a.name, b.name)), hasMore };
}

const find = async (deps: Visit["deps"], owner: Visit["owner"], q: string) =>
  (await searchFolders(deps, owner, { q, limit: maxChoices })).items;

/** The folder that a text stands for: the only one whose name is the text, or has its words; otherwise what is wrong. */
export async function folderFor(
  { deps, owner }: Visit,
  text: string,
): Promise<{ readonly folder: ListedFolder } | { readonly problem: string }> {
  const found = await find(deps, owner, text);
  const named = found.filter(({ name }) => foldCase(name) === foldCase(text));
  const [folder, ...others] = named.length > 0 ? named : found;
  if (folder === undefined) return { problem: "matches no folder" };
  if (others.length === 0) return { folder };
  const count = found.length === maxChoices ? `${maxChoices} folders or more` : `${found.length} folders`;
  return { problem: `matches ${count}: choose one of them in the list` };
}

/** The fields of a form, with the folder that was searched in place of the one that was chosen. */
export async function withFolderFound(
  visit: Visit,
): Promise<{ readonly form: URLSearchParams } | { readonly rejection: Rejection }> {
  const text = visit.form.get(findField)?.trim() ?? "";
  if (text === "") return { form: visit.form };
  const found = await folderFor(visit, text);
  if ("problem" in found) return { rejection: { problems: { [findField]: found.problem }, status: 400 } };
  const form = new URLSearchParams(visit.form);
  form.set("folderId", found.folder.id);
  form.delete(findField);
  return { form };
}
