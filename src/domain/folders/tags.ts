import { listTags as readTags, type TagCount } from "../../store/folders/tags.ts";
import type { Deps } from "../deps.ts";
import type { WorkspaceContext } from "../identity/caller.ts";
import { limits } from "../../contract/limits.ts";

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
