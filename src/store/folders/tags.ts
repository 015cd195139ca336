import type { GroupedCode } from "./folders.ts";

/** Returns the workspace's tags in character order, without counts. Each takes one index search. */
export async function listTagNames(db: D1Database, workspaceId: string, limit: number): Promise<string[]> {
  const { results } = await db
    .prepare(`WITH RECURSIVE ${listedTags} SELECT tag FROM listed WHERE tag IS NOT NULL`)
    .bind(workspaceId, "", limit)
    .all<{ tag: string }>();
  return results.map(({ tag }) => tag);
}

/** An SQL table of ?3 tags of workspace ?1 after the tag ?2. */
const listedTags = `listed (tag) AS (
  SELECT min(tag) FROM qr_tags WHERE workspace_id = ?1 AND tag > ?2
  UNION ALL
  SELECT (SELECT min(q.tag) FROM qr_tags q WHERE q.workspace_id = ?1 AND q.tag > listed.tag) FROM listed
    WHERE listed.tag IS NOT NULL
  LIMIT ?3
)`;

/** A tag and the number of live codes that have it. */
export interface TagCount {
  readonly tag: string;
  readonly codes: number;
}

/**
 * Returns the workspace's tags in character order. Each takes one index search, however many codes have it.
 * @param after the tag that the first one follows
 * @param most the highest count per tag; one more stands for any larger number
 */
export async function listTags(
  db: D1Database,
  workspaceId: string,
  after: string,
  limit: number,
  most: number,
): Promise<TagCount[]> {
  const { results } = await db
    .prepare(
      `WITH RECURSIVE ${listedTags}
       SELECT tag, (SELECT count(*) FROM (SELECT 1 FROM qr_tags q WHERE q.workspace_id = ?1 AND q.tag = listed.tag
         LIMIT ?4 + 1)) AS codes
       FROM listed WHERE tag IS NOT NULL`,
    )
    .bind(workspaceId, after, limit, most)
    .all<TagCount>();
  return results;
}

/** Returns live codes with tags of the workspace, each with its tag. */
export async function listCodesWithTags(
  db: D1Database,
  workspaceId: string,
  tags: readonly string[],
  limit: number,
): Promise<GroupedCode[]> {
  const { results } = await db
    .prepare(
      `SELECT q.tag AS "group", q.qr_id AS id FROM json_each(?2) t
       CROSS JOIN qr_tags q ON q.workspace_id = ?1 AND q.tag = t.value LIMIT ?3`,
    )
    .bind(workspaceId, JSON.stringify(tags), limit)
    .all<GroupedCode>();
  return results;
}

/** Returns whether a code of the workspace has exactly this tag. */
export async function hasTag(db: D1Database, workspaceId: string, tag: string): Promise<boolean> {
  const found = await db
    .prepare("SELECT 1 AS found FROM qr_tags WHERE workspace_id = ? AND tag = ? LIMIT 1")
    .bind(workspaceId, tag)
    .first();
  return found !== null;
}
