import type { QrEvent, ServiceEvent } from "../protocol/events.ts";

/**
 * Returns a statement that adds a code's event to the outbox, for the batch that creates the code. It adds nothing if
 * the workspace never had a webhook, or if the plan's cap prevented the creation.
 */
export function insertEvent(db: D1Database, workspaceId: string, event: QrEvent): D1PreparedStatement {
  return db
    .prepare(
      `INSERT INTO outbox (id, workspace_id, kind, data, created_at)
       SELECT ?1, w.id, ?2, ?3, ?4 FROM workspaces w CROSS JOIN qr_codes c ON c.workspace_id = w.id
       WHERE w.id = ?5 AND w.has_webhooks AND c.id = ?6
       RETURNING id`,
    )
    .bind(event.id, event.kind, JSON.stringify(event.data), event.at, workspaceId, event.data.id);
}

/** The right to forward a workspace's events, held by one forwarder at a time. */
export interface ForwardingLease {
  readonly workspaceId: string;
  /** Unique to the forwarder. */
  readonly holder: string;
}

/**
 * Acquires or renews the lease if the workspace has events, and reads the oldest ones.
 * @param times epoch milliseconds: a lease that has ended by `now` may be taken over; this one ends at `until`
 * @param limit maximum number of events, and of characters of their data; the last event may exceed the latter
 * @returns events that the ledger may not have stored yet, oldest first; none while another forwarder has the lease
 */
export async function leasePendingEvents(
  db: D1Database,
  { workspaceId, holder }: ForwardingLease,
  times: { readonly now: number; readonly until: number },
  limit: { readonly events: number; readonly characters: number },
): Promise<ServiceEvent[]> {
  const take = db
    .prepare(
      `INSERT INTO forwarding_leases (workspace_id, holder, until)
       SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM outbox WHERE workspace_id = ?1)
       ON CONFLICT (workspace_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE until <= ?4 OR holder = excluded.holder`,
    )
    .bind(workspaceId, holder, times.until, times.now);
  const read = db
    .prepare(
      `SELECT id, kind, created_at AS at, data FROM
         (SELECT *, sum(length(data)) OVER (ORDER BY id) AS total FROM
           (SELECT id, kind, created_at, data FROM outbox WHERE workspace_id = ?1
              AND EXISTS (SELECT 1 FROM forwarding_leases WHERE workspace_id = ?1 AND holder = ?2)
            ORDER BY id LIMIT ?3))
       WHERE total - length(data) < ?4 ORDER BY id`,
    )
    .bind(workspaceId, holder, limit.events, limit.characters);
  const [, page] = await db.batch<{ id: string; kind: string; at: number; data: string }>([take, read]);
  // The type of `data` follows from `kind`.
  return (page?.results ?? []).map((row) => ({ ...row, data: JSON.parse(row.data) }) as ServiceEvent);
}

/**
 * Removes events that the workspace's ledger has stored, and ends the lease if none are left. This is one transaction,
 * so that an event added at the same time is either seen here or finds the lease ended.
 * @returns whether the lease was ended
 */
export async function clearEvents(
  db: D1Database,
  { workspaceId, holder }: ForwardingLease,
  ids: readonly string[],
): Promise<boolean> {
  const clear = db
    .prepare("DELETE FROM outbox WHERE workspace_id = ?1 AND id IN (SELECT value FROM json_each(?2))")
    .bind(workspaceId, JSON.stringify(ids));
  const end = db
    .prepare(
      `DELETE FROM forwarding_leases WHERE workspace_id = ?1 AND holder = ?2
         AND NOT EXISTS (SELECT 1 FROM outbox WHERE workspace_id = ?1)`,
    )
    .bind(workspaceId, holder);
  const [, ended] = await db.batch([clear, end]);
  return ended?.meta.changes === 1;
}

/** Ends the lease, if still held, of a workspace with events left. @param now epoch milliseconds */
export async function endForwarding(
  db: D1Database,
  { workspaceId, holder }: ForwardingLease,
  now: number,
): Promise<void> {
  await db
    .prepare("UPDATE forwarding_leases SET until = ?3 WHERE workspace_id = ?1 AND holder = ?2")
    .bind(workspaceId, holder, now)
    .run();
}

/**
 * Returns workspaces that have events with an id below `before` and no forwarder, for the sweep. Those that have waited
 * longest since a forwarder gave up come first, so that workspaces with failing ledgers don't hold up the others.
 * @param now epoch milliseconds @param limit maximum number of workspaces
 */
export async function strandedWorkspaces(
  db: D1Database,
  before: string,
  now: number,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `WITH RECURSIVE waiting (id) AS (
         SELECT min(workspace_id) FROM outbox
         UNION ALL
         SELECT (SELECT min(workspace_id) FROM outbox WHERE workspace_id > waiting.id) FROM waiting
           WHERE waiting.id IS NOT NULL
       )
       SELECT waiting.id FROM waiting LEFT JOIN forwarding_leases l ON l.workspace_id = waiting.id
       WHERE (SELECT min(o.id) FROM outbox o WHERE o.workspace_id = waiting.id) < ?1 AND coalesce(l.until, 0) <= ?2
       ORDER BY coalesce(l.until, 0) LIMIT ?3`,
    )
    .bind(before, now, limit)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}
