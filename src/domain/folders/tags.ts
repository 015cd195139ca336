import { limits } from "../../contract/limits.ts";
import { foldCase } from "../../lib/text/fold-case.ts";
import { wordsOf } from "../../lib/text/words.ts";
import { bounds } from "../../protocol/bounds.ts";
import { listTagNames, listTags as readTags, type TagCount } from "../../store/folders/tags.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../identity/caller.ts";

export type { TagCount };

/** Tags on one page of the list. */
const pageSize = 100;

/**
 * The tags of the workspace's codes in the order of their characters, with the number of codes up to `limits.countedCodes`.
 * @param after the tag that the page follows; empty for the first page
 * @returns also the tag that the next page follows; null for the last page
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

/** Tags among the first `bounds.searchedTags` of the workspace that have all words of a text, without regard to case. */
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
