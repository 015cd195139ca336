/** Which workspaces have an address for alerts. The address itself is in their ledgers. Times are epoch milliseconds. */

/** Records that a workspace has an address. @param checkAt when the sweep looks for something new */
export async function putAlertAddress(db: D1Database, workspaceId: string, checkAt: number): Promise<void> {
  await db
    .prepare(
      `INSERT INTO alert_addresses (workspace_id, check_at) VALUES (?, ?)
       ON CONFLICT (workspace_id) DO UPDATE SET check_at = excluded.check_at`,
    )
    .bind(workspaceId, checkAt)
    .run();
}

/** Records that a workspace has none. */
export async function removeAlertAddress(db: D1Database, workspaceId: string): Promise<void> {
  await db.prepare("DELETE FROM alert_addresses WHERE workspace_id = ?").bind(workspaceId).run();
}

/** Takes workspaces that are due, and schedules their next check. @returns their ids */
export async function takeDueAlertAddresses(
  db: D1Database,
  now: number,
  next: number,
  limit: number,
): Promise<string[]> {
  const { results } = await db
    .prepare(
      `UPDATE alert_addresses SET check_at = ?2 WHERE workspace_id IN
         (SELECT workspace_id FROM alert_addresses WHERE check_at <= ?1 ORDER BY check_at LIMIT ?3)
       RETURNING workspace_id AS id`,
    )
    .bind(now, next, limit)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Returns whether any workspace has an address. Reads one row. */
export async function hasAlertAddresses(db: D1Database): Promise<boolean> {
  return (await db.prepare("SELECT 1 FROM alert_addresses LIMIT 1").first()) !== null;
}
