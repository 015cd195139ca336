/** The operator's alerts, and what they are about. They belong to the installation. Times are epoch milliseconds. */

/** A condition that holds, or held until a moment ago. */
export interface AlertRow {
  readonly name: string;
  readonly text: string;
  /** When it was first found. */
  readonly since: number;
  /** When it was last sent to the receiver; null if never. */
  readonly sentAt: number | null;
  /** Since when it has not been found any more; null while it holds. */
  readonly clearSince: number | null;
}

/** Starts a check, unless one was started after `before`. @returns whether the caller is to make it */
export async function claimAlertCheck(db: D1Database, now: number, before: number): Promise<boolean> {
  const { results } = await db
    .prepare(
      `INSERT INTO last_runs (name, at) VALUES ('alerts', ?1)
       ON CONFLICT (name) DO UPDATE SET at = excluded.at WHERE at <= ?2 RETURNING name`,
    )
    .bind(now, before)
    .all();
  return results.length === 1;
}

export async function listAlerts(db: D1Database): Promise<AlertRow[]> {
  const { results } = await db
    .prepare(
      "SELECT name, text, since, sent_at AS sentAt, clear_since AS clearSince FROM alerts ORDER BY since, name",
    )
    .all<AlertRow>();
  return results;
}

/** Stores and deletes conditions. */
export async function saveAlerts(
  db: D1Database,
  rows: readonly AlertRow[],
  ended: readonly string[],
): Promise<void> {
  if (rows.length === 0 && ended.length === 0) return;
  await db.batch([
    db
      .prepare(
        `INSERT INTO alerts (name, text, since, sent_at, clear_since)
         SELECT value->>'name', value->>'text', value->>'since', value->>'sentAt', value->>'clearSince'
         FROM json_each(?) WHERE true
         ON CONFLICT (name) DO UPDATE SET text = excluded.text, sent_at = excluded.sent_at,
           clear_since = excluded.clear_since`,
      )
      .bind(JSON.stringify(rows)),
    db
      .prepare("DELETE FROM alerts WHERE name IN (SELECT value FROM json_each(?))")
      .bind(JSON.stringify(ended)),
  ]);
}

/** A workspace whose ledger is looked at. */
export interface LedgerToCheck {
  readonly id: string;
  readonly name: string;
}

/** Returns workspaces with codes after the id `after`, in the order of their ids, and those with these ids. */
export async function workspacesToCheck(
  db: D1Database,
  after: string,
  ids: readonly string[],
  limit: number,
): Promise<LedgerToCheck[]> {
  const { results } = await db
    .prepare(
      `SELECT * FROM (SELECT id, name FROM workspaces WHERE id > ?1 AND live_codes > 0 ORDER BY id LIMIT ?3)
       UNION SELECT w.id, w.name FROM json_each(?2) found CROSS JOIN workspaces w ON w.id = found.value ORDER BY id`,
    )
    .bind(after, JSON.stringify(ids), limit)
    .all<LedgerToCheck>();
  return results;
}

/** Returns the last workspace whose ledger was looked at; empty to begin anew. */
export async function readLedgerCursor(db: D1Database): Promise<string> {
  const row = await db.prepare("SELECT ledger FROM alert_cursor WHERE id = 1").first<{ ledger: string }>();
  return row?.ledger ?? "";
}

export async function saveLedgerCursor(db: D1Database, ledger: string): Promise<void> {
  await db
    .prepare(
      `INSERT INTO alert_cursor (id, ledger) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET ledger = ?1
       WHERE ledger IS NOT ?1`,
    )
    .bind(ledger)
    .run();
}
