/**
 * Changes of routes that may not have reached every feed and the route cache yet. Triggers add them in the transaction
 * of the change. This module uses plain SQL, because the repair consumer would load drizzle for it alone.
 */

/** Marks a version as published. A newer change of the key stays pending. */
export async function completePublication(db: D1Database, key: string, version: number): Promise<void> {
  await db
    .prepare("DELETE FROM pending_publications WHERE key = ? AND version <= ?")
    .bind(key, version)
    .run();
}

/** Marks versions of several keys as published. */
export async function completePublications(
  db: D1Database,
  published: readonly { readonly key: string; readonly version: number }[],
): Promise<void> {
  await db
    .prepare(
      `DELETE FROM pending_publications WHERE key IN
         (SELECT p.key FROM json_each(?) j CROSS JOIN pending_publications p ON p.key = j.value->>'key'
          WHERE p.version <= j.value->>'version')`,
    )
    .bind(JSON.stringify(published))
    .run();
}

/** Whether a change of the key may not have been published yet. */
export async function isPublicationPending(db: D1Database, key: string): Promise<boolean> {
  return (await db.prepare("SELECT 1 FROM pending_publications WHERE key = ?").bind(key).first()) !== null;
}

/**
 * Keys whose publication has been pending since `before`, for the sweep. Their time is set to `now`, so that the next
 * sweep does not take them again at once. Both times are epoch milliseconds.
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
