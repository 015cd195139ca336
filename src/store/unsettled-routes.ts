/** Plain SQL, no drizzle: used by the repairs alone. */

/** The caches have been told of this version: nothing is left to do for it. A newer change stays listed. */
export async function settleRoute(db: D1Database, hash: string, version: number): Promise<void> {
  await db.prepare("DELETE FROM unsettled_routes WHERE hash = ? AND version <= ?").bind(hash, version).run();
}

/**
 * Takes up hashes whose change has not been settled since `before`; they count as changed `now`, so that the
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
      `UPDATE unsettled_routes SET changed_at = ?2 WHERE hash IN
         (SELECT hash FROM unsettled_routes WHERE changed_at < ?1 ORDER BY changed_at LIMIT ?3)
       RETURNING hash`,
    )
    .bind(before, now, limit)
    .all<{ hash: string }>();
  return results.map((row) => row.hash);
}
