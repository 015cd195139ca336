import { limits } from "../../contract/limits.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { wordsOf } from "../../lib/text/words.ts";
import { bounds } from "../../protocol/bounds.ts";
import { listTagNames, listTags as readTags, type TagCount } from "../../store/folders/tags.ts";
import type { WorkspaceContext } from "../context/context.ts";
import type { Deps } from "../deps.ts";

export type { TagCount };

/** How many tags a page of the list has. */
const pageSize = 100;

/**
 * Returns the tags of the workspace's codes in character order, with their number of codes up to `limits.countedCodes`.
 * @param after the tag that the page follows; empty for the first page
 * @returns also the tag that the next page follows; null on the last page
 */
export async function listTags(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  after: string,
): Promise<{ tags: TagCount[]; next: string | null }> {
  const found = await readTags(deps.db, workspaceId, after, pageSize + 1, limits.countedCodes);
  const tags = found.slice(0, pageSize);
  return { tags, next: found.length > pageSize ? (tags.at(-1)?.tag ?? null) : null };
}

/**
 * Returns those of the workspace's first `bounds.searchedTags` tags that contain all words of a text, ignoring case.
 */
export async function searchTags(
  deps: Deps,
  { workspaceId }: WorkspaceContext,
  text: string,
  limit: number,
): Promise<string[]> {
  const words = wordsOf(text, limits.tags.length).map(foldCase);
  const tags = await listTagNames(deps.db, workspaceId, bounds.searchedTags);
  const found = tags.filter((tag) => words.every((word) => foldCase(tag).includes(word)));
  return found.slice(0, limit);
}
