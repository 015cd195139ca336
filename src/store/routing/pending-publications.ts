import { aliasKey, domainKey } from "../../protocol/routes.ts";

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

/** Returns the version of a change of the key that may still be unpublished; null if there is none. */
export const findPendingVersion = (db: D1Database, key: string): Promise<number | null> =>
  db.prepare("SELECT version FROM pending_publications WHERE key = ?").bind(key).first<number>("version");

/** Returns the workspace's domains, as keys, whose changes may still be unpublished. */
export async function listPendingDomains(db: D1Database, workspaceId: string): Promise<string[]> {
  const { results } = await db
    .prepare(
      `SELECT p.key FROM domains d CROSS JOIN pending_publications p ON p.key = '${domainKey("")}' || d.host
       WHERE d.workspace_id = ? AND d.deleted_at IS NULL AND d.proved_at IS NOT NULL`,
    )
    .bind(workspaceId)
    .all<{ key: string }>();
  return results.map(({ key }) => key);
}

/** Returns the workspace's aliases, as keys, whose changes may still be unpublished. */
export async function listPendingAliases(
  db: D1Database,
  workspaceId: string,
  limit: number,
): Promise<string[]> {
  const from = aliasKey(workspaceId, "");
  const { results } = await db
    .prepare("SELECT key FROM pending_publications WHERE key >= ?1 AND key < ?2 LIMIT ?3")
    .bind(from, from.replace(/:$/, ";"), limit)
    .all<{ key: string }>();
  return results.map(({ key }) => key);
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
