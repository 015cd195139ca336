import type { ServiceEvent } from "../protocol/events.ts";
import type { Received } from "../protocol/workspace-ledger.ts";
import { readHistory } from "./history.ts";

/** The right to forward a workspace's events, held by one forwarder at a time. */
export interface ForwardingLease {
  readonly workspaceId: string;
  /** Unique to the forwarder. */
  readonly holder: string;
}

/**
 * Acquires or renews the lease if the workspace has rows in the outbox, and reads the oldest ones.
 * @param times epoch milliseconds: a lease that has ended by `now` may be taken over; this one ends at `until`
 * @param limit maximum number of rows, and of characters of their contents; the last row may exceed the latter. Only rows
 * with an id below `before` are read, if there is one
 * @returns what the ledger may not have stored yet, oldest first; nothing while another forwarder has the lease
 */
export async function leasePendingEvents(
  db: D1Database,
  { workspaceId, holder }: ForwardingLease,
  times: { readonly now: number; readonly until: number },
  limit: { readonly rows: number; readonly characters: number; readonly before?: string | undefined },
): Promise<Received & { readonly ids: readonly string[] }> {
  const before = limit.before ?? "~";
  const take = db
    .prepare(
      `INSERT INTO forwarding_leases (workspace_id, holder, until)
       SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM outbox WHERE workspace_id = ?1 AND id < ?5)
       ON CONFLICT (workspace_id) DO UPDATE SET holder = excluded.holder, until = excluded.until
         WHERE until <= ?4 OR holder = excluded.holder`,
    )
    .bind(workspaceId, holder, times.until, times.now, before);
  const read = db
    .prepare(
      `SELECT id, kind, created_at AS at, data, history FROM
         (SELECT *, sum(length) OVER (ORDER BY id) AS total FROM
           (SELECT id, kind, created_at, data, history, length(data) + coalesce(length(history), 0) AS length
            FROM outbox WHERE workspace_id = ?1 AND id < ?5
              AND EXISTS (SELECT 1 FROM forwarding_leases WHERE workspace_id = ?1 AND holder = ?2)
            ORDER BY id LIMIT ?3))
       WHERE total - length < ?4 ORDER BY id`,
    )
    .bind(workspaceId, holder, limit.rows, limit.characters, before);
  const [, page] = await db.batch<OutboxRow>([take, read]);
  const rows = page?.results ?? [];
  const history = rows.flatMap(({ history, ...row }) =>
    history === null ? [] : [readHistory({ ...row, history })],
  );
  return {
    ids: rows.map(({ id }) => id),
    events: rows.filter(({ kind }) => kind !== "").map(readEvent),
    entries: history.filter((each) => "action" in each),
    erased: history.flatMap((each) => ("erased" in each ? [each.erased] : [])),
  };
}

interface OutboxRow {
  readonly id: string;
  readonly kind: string;
  readonly at: number;
  readonly data: string;
  readonly history: string | null;
}

/** The type of `data` follows from `kind`. */
const readEvent = ({ id, kind, at, data }: OutboxRow): ServiceEvent =>
  ({ id, kind, at, data: JSON.parse(data) }) as ServiceEvent;

/** Returns whether all of a workspace's rows with an id below `before` have left the outbox. */
export async function isForwarded(db: D1Database, workspaceId: string, before: string): Promise<boolean> {
  const left = await db
    .prepare("SELECT 1 AS found FROM outbox WHERE workspace_id = ?1 AND id < ?2 LIMIT 1")
    .bind(workspaceId, before)
    .first();
  return left === null;
}

/**
 * Removes rows that the workspace's ledger has stored, and ends the lease if none are left. This is one transaction,
 * so that an event added at the same time is either seen here or finds the lease ended. The lease's row stays, because
 * adding it again would write its key, too.
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
      `UPDATE forwarding_leases SET until = 0 WHERE workspace_id = ?1 AND holder = ?2
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

/** SQL: the workspaces that have rows in the outbox, each found by the first entry of the key. */
const waiting = `WITH RECURSIVE waiting (id) AS (
    SELECT min(workspace_id) FROM outbox
    UNION ALL
    SELECT (SELECT min(workspace_id) FROM outbox WHERE workspace_id > waiting.id) FROM waiting
      WHERE waiting.id IS NOT NULL
  )`;

/** SQL: these workspaces with their oldest row each, `o`. */
const oldestRows = `waiting CROSS JOIN outbox o
    ON o.workspace_id = waiting.id AND o.id = (SELECT min(id) FROM outbox WHERE workspace_id = waiting.id)`;

/** Returns the oldest row of the outbox; null if there is none. */
export const oldestWaiting = (db: D1Database): Promise<Waiting | null> =>
  db
    .prepare(
      `${waiting} SELECT o.workspace_id AS workspaceId, o.created_at AS at FROM ${oldestRows} ORDER BY o.id LIMIT 1`,
    )
    .first<Waiting>();

/** A row of the outbox. */
interface Waiting {
  readonly workspaceId: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Counts the bytes that wait for workspaces which have rows with an id below `before`, or which had any when they were last
 * counted.
 */
export async function countWaitingBytes(db: D1Database, before: string): Promise<void> {
  await db
    .prepare(
      `${waiting} UPDATE workspaces SET waiting_bytes =
         (SELECT coalesce(sum(o.bytes), 0) FROM outbox o WHERE o.workspace_id = workspaces.id)
       WHERE id IN (SELECT waiting.id FROM ${oldestRows} WHERE o.id < ?
         UNION SELECT c.id FROM workspaces c WHERE c.id > '' AND c.waiting_bytes > 0)`,
    )
    .bind(before)
    .run();
}

/**
 * Returns workspaces that have rows with an id below `before` and no forwarder, for the sweep: those with the oldest rows
 * first. Where a forwarder has given up since, only the time since then counts, so that everybody has a turn, whatever
 * fails and however much is left.
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
      `${waiting} SELECT waiting.id FROM ${oldestRows}
         LEFT JOIN forwarding_leases l ON l.workspace_id = waiting.id
       WHERE o.id < ?1 AND coalesce(l.until, 0) <= ?2
       ORDER BY max(o.created_at, coalesce(l.until, 0)) LIMIT ?3`,
    )
    .bind(before, now, limit)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}
