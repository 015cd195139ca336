import { domainKey, workspaceKey } from "../../protocol/routes.ts";
import type { PendingPublication } from "./pending-publications.ts";

/**
 * Routes that the route cache must have, because it takes a missing one for one that there never was: those of domains, and
 * of workspaces whose codes are suspended or have stopped.
 */

const domains = `SELECT '${domainKey("")}' || d.host AS key, d.route_version AS version FROM domains d
  WHERE d.proved_at IS NOT NULL`;

const workspaces = `SELECT '${workspaceKey("")}' || w.id AS key, w.suspension_version AS version FROM workspaces w
  WHERE w.suspended IS NOT NULL OR (w.deletion_due_at IS NOT NULL AND w.suspension_version > 0)`;

/** Changes that are pending are published anyway. */
const isSettled = (key: string) => `NOT EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = ${key})`;

/** Returns one domain's route and one workspace's, chosen at random, as far as there are any. */
export async function pickKnownRoutes(db: D1Database): Promise<PendingPublication[]> {
  const { results } = await db
    .prepare(
      `SELECT * FROM (${domains} AND ${isSettled(`'${domainKey("")}' || d.host`)}
         AND d.rowid >= abs(random()) % (SELECT max(rowid) FROM domains) + 1 ORDER BY d.rowid LIMIT 1)
       UNION ALL SELECT * FROM (SELECT key, version FROM (${workspaces}) k WHERE ${isSettled("k.key")}
         ORDER BY random() LIMIT 1)`,
    )
    .all<PendingPublication>();
  return results;
}

/** Has up to `limit` of these routes, chosen at random, published again by the sweep. */
export async function republishKnownRoutes(db: D1Database, limit: number): Promise<void> {
  await db
    .prepare(
      `INSERT OR IGNORE INTO pending_publications (key, version, changed_at)
       SELECT key, max(version), 0 FROM (${domains} UNION ALL ${workspaces}) GROUP BY key ORDER BY random() LIMIT ?`,
    )
    .bind(limit)
    .run();
}
