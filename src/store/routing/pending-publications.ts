/**
 * Route changes that may not have reached every feed and the route cache yet. Triggers add them in the transaction of
 * the change. Plain SQL, because the repair consumer would load drizzle only for this module.
 */

/** Marks versions of keys as published. A newer change of a key stays pending. */
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

/** Returns whether a change of the key may still be unpublished. */
export async function isPublicationPending(db: D1Database, key: string): Promise<boolean> {
  return (await db.prepare("SELECT 1 FROM pending_publications WHERE key = ?").bind(key).first()) !== null;
}

/** A key whose publication is pending, and the version to publish. */
export interface PendingPublication {
  readonly key: string;
  readonly version: number;
}

/**
 * Returns publications pending since `before`, oldest first, for the sweep. Sets their time to `now`, so that they
 * aren't taken again until that is old, too. Both times are epoch milliseconds.
 */
export async function takeStalePublications(
  db: D1Database,
  before: number,
  now: number,
  limit: number,
): Promise<PendingPublication[]> {
  const { results } = await db
    .prepare(
      `UPDATE pending_publications SET changed_at = ?2 WHERE key IN
         (SELECT key FROM pending_publications WHERE changed_at < ?1 ORDER BY changed_at LIMIT ?3)
       RETURNING key, version`,
    )
    .bind(before, now, limit)
    .all<PendingPublication>();
  return results;
}

/** Resets the time of publications taken at `taken`. Both times are epoch milliseconds. */
export async function releasePublications(db: D1Database, taken: number, to: number): Promise<void> {
  await db
    .prepare("UPDATE pending_publications SET changed_at = ?2 WHERE changed_at = ?1")
    .bind(taken, to)
    .run();
}

/** Returns the key whose publication is due first; null if none is pending. */
export function oldestPublication(db: D1Database): Promise<string | null> {
  return db.prepare("SELECT key FROM pending_publications ORDER BY changed_at LIMIT 1").first<string>("key");
}
