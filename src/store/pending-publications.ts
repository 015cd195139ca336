/**
 * Changes that are not yet known to have reached every feed and the route cache. Triggers add them in the change's own
 * transaction. Plain SQL and no drizzle: the repairs alone use this module.
 */

/** Marks a version as published. A newer change of the key stays pending. */
export async function completePublication(db: D1Database, key: string, version: number): Promise<void> {
  await db
    .prepare("DELETE FROM pending_publications WHERE key = ? AND version <= ?")
    .bind(key, version)
    .run();
}

/**
 * Takes keys whose publication has been pending since `before`. They count as changed `now`, so that the next sweep
 * leaves them time. Both are epoch milliseconds.
 */
export async function takeStalePublications(
  db: D1Database,
  before: number,
  now: number,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `UPDATE pending_publications SET changed_at = ?2 WHERE key IN
         (SELECT key FROM pending_publications WHERE changed_at < ?1 ORDER BY changed_at LIMIT ?3)
       RETURNING key`,
    )
    .bind(before, now, limit)
    .all<{ key: string }>();
  return results.map((row) => row.key);
}
