/** Plain SQL, no drizzle: used by the repairs alone. */

/** The caches have been told of this version: nothing is left to do for it. A newer change stays listed. */
export async function settleRoute(db: D1Database, key: string, version: number): Promise<void> {
  await db.prepare("DELETE FROM unsettled_routes WHERE key = ? AND version <= ?").bind(key, version).run();
}

/**
 * Takes up keys whose change has not been settled since `before`; they count as changed `now`, so that the
 * next sweep leaves them time. Both are epoch milliseconds.
 */
export async function takeUnsettled(
  db: D1Database,
  before: number,
  now: number,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `UPDATE unsettled_routes SET changed_at = ?2 WHERE key IN
         (SELECT key FROM unsettled_routes WHERE changed_at < ?1 ORDER BY changed_at LIMIT ?3)
       RETURNING key`,
    )
    .bind(before, now, limit)
    .all<{ key: string }>();
  return results.map((row) => row.key);
}
