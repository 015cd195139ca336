import { domainKey, workspaceKey } from "../../protocol/routes.ts";
import type { PendingPublication } from "./pending-publications.ts";

/**
 * Routes that the route cache must have, because it takes a missing one for one that there never was: those of domains, and
 * of workspaces whose codes are suspended or have stopped. Changes that are pending are published anyway.
 */
const ofDomains = `SELECT '${domainKey("")}' || d.host AS key, d.route_version AS version FROM domains d
  WHERE d.proved_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = '${domainKey("")}' || d.host)`;

const ofWorkspaces = (condition: string) =>
  `SELECT '${workspaceKey("")}' || w.id AS key, w.suspension_version AS version FROM workspaces w
   WHERE ${condition}
     AND NOT EXISTS (SELECT 1 FROM pending_publications p WHERE p.key = '${workspaceKey("")}' || w.id)`;

const ofSuspended = ofWorkspaces("w.id > '' AND w.suspended IS NOT NULL");
const ofStopped = ofWorkspaces("w.deletion_due_at >= 0 AND w.suspension_version > 0");

/** Returns a route of each kind, chosen at random, as far as there are any. */
export async function pickKnownRoutes(db: D1Database): Promise<PendingPublication[]> {
  const { results } = await db
    .prepare(
      `SELECT * FROM (${ofDomains}
         AND d.rowid >= abs(random()) % (SELECT max(rowid) FROM domains) + 1 ORDER BY d.rowid LIMIT 1)
       UNION ALL SELECT * FROM (${ofSuspended} ORDER BY random() LIMIT 1)
       UNION ALL SELECT * FROM (${ofStopped} ORDER BY random() LIMIT 1)`,
    )
    .all<PendingPublication>();
  return results;
}

/** Has up to `limit` of these routes, chosen at random, published again by the sweep. */
export async function republishKnownRoutes(db: D1Database, limit: number): Promise<void> {
  await db
    .prepare(
      `INSERT OR IGNORE INTO pending_publications (key, version, changed_at)
       SELECT key, max(version), 0 FROM (${ofDomains} UNION ALL ${ofSuspended} UNION ALL ${ofStopped})
       GROUP BY key ORDER BY random() LIMIT ?`,
    )
    .bind(limit)
    .run();
}
