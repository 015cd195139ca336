/**
 * Sessions of signed-in users. They belong to a user, not to a workspace. `findMemberBySession` in users.ts reads them.
 */

/** A session. Times are epoch milliseconds. */
export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Inserts a session. If the user already has `cap` sessions, the oldest one ends. */
export async function insertSession(
  db: D1Database,
  { id, userId, createdAt, expiresAt }: NewSession,
  cap: number,
): Promise<void> {
  await db.batch([
    deleteOldestSessions(db, userId, cap),
    db
      .prepare("INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)")
      .bind(id, userId, createdAt, expiresAt),
  ]);
}

/** Returns the statement that makes room for one more session of a user who may have `cap`. */
export const deleteOldestSessions = (db: D1Database, userId: string, cap: number): D1PreparedStatement =>
  db
    .prepare(
      `DELETE FROM sessions WHERE id IN
         (SELECT id FROM sessions WHERE user_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    )
    .bind(userId, cap - 1);

/** Ends a session. */
export async function deleteSession(db: D1Database, id: string): Promise<void> {
  await db.prepare("DELETE FROM sessions WHERE id = ?").bind(id).run();
}

/** Ends all of a user's sessions, and records the time (epoch milliseconds) to invalidate tokens, which have no row. */
export async function deleteUserSessions(db: D1Database, userId: string, now: number): Promise<void> {
  await db.batch([
    db.prepare("DELETE FROM sessions WHERE user_id = ?").bind(userId),
    db.prepare("UPDATE users SET signed_out_at = ? WHERE id = ?").bind(now, userId),
  ]);
}

/** Removes sessions that have expired by `now` (epoch milliseconds), at most 1,000 at a time. */
export async function pruneSessions(db: D1Database, now: number): Promise<void> {
  await db
    .prepare(
      "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT 1000)",
    )
    .bind(now)
    .run();
}
