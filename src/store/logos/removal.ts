import { isUsed, type LogoId } from "./logos.ts";

/**
 * Finds and removes unused logos that are in no brand, in all workspaces, for the sweep. Times are epoch milliseconds.
 */

/**
 * Checks the logos that were checked longest ago, and marks those that are in no brand and unused since `before` as
 * being removed. A marked logo can't be saved again until its row is deleted, so that deleting its file can't affect a
 * new one.
 * @param before logos checked or saved later are skipped
 * @returns the marked logos
 */
export async function markUnusedLogos(
  db: D1Database,
  before: number,
  now: number,
  limit: number,
): Promise<LogoId[]> {
  const due = `(l.workspace_id, l.id) IN
    (SELECT workspace_id, id FROM logos WHERE checked_at <= ?1 AND removing_at IS NULL ORDER BY checked_at LIMIT ?3)`;
  const [marked] = await db.batch<LogoId>([
    db
      .prepare(
        `UPDATE logos AS l SET removing_at = ?2 WHERE ${due} AND unused_since <= ?1 AND name IS NULL AND NOT ${isUsed()}
         RETURNING workspace_id AS workspaceId, id`,
      )
      .bind(before, now, limit),
    db
      .prepare(
        `UPDATE logos AS l SET checked_at = ?2, unused_since = iif(${isUsed()}, NULL, coalesce(unused_since, ?2))
         WHERE ${due}`,
      )
      .bind(before, now, limit),
  ]);
  return marked?.results ?? [];
}

/** Returns logos whose removal began at `before` or earlier and was interrupted. Sets their mark to `now`. */
export async function takeInterruptedRemovals(
  db: D1Database,
  before: number,
  now: number,
  limit: number,
): Promise<LogoId[]> {
  const { results } = await db
    .prepare(
      `UPDATE logos SET removing_at = ?2 WHERE (workspace_id, id) IN
         (SELECT workspace_id, id FROM logos WHERE removing_at <= ?1 AND removing_at IS NOT NULL LIMIT ?3)
       RETURNING workspace_id AS workspaceId, id`,
    )
    .bind(before, now, limit)
    .all<LogoId>();
  return results;
}
