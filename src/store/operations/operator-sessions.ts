/** The operator's sessions. They belong to no workspace. Times are epoch milliseconds. */

export async function insertOperatorSession(
  db: D1Database,
  digest: string,
  expiresAt: number,
): Promise<void> {
  await db
    .prepare("INSERT INTO operator_sessions (digest, expires_at) VALUES (?, ?)")
    .bind(digest, expiresAt)
    .run();
}

/** Returns whether there is a session with one of the digests that has not expired by `now`. */
export async function hasOperatorSession(
  db: D1Database,
  digests: readonly string[],
  now: number,
): Promise<boolean> {
  const row = await db
    .prepare(
      `SELECT 1 AS found FROM operator_sessions
       WHERE digest IN (SELECT value FROM json_each(?)) AND expires_at > ?`,
    )
    .bind(JSON.stringify(digests), now)
    .first();
  return row !== null;
}

export async function deleteOperatorSession(db: D1Database, digests: readonly string[]): Promise<void> {
  await db
    .prepare("DELETE FROM operator_sessions WHERE digest IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(digests))
    .run();
}
