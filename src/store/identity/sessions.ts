import { and, desc, eq, gt } from "drizzle-orm";
import { catalogue } from "../catalogue.ts";
import { sessions } from "../schema/identity.ts";

/**
 * Sessions of signed-in users. They belong to a user, not to a workspace. `findMemberBySession` in users.ts reads them.
 */

/** A session. Times are epoch milliseconds. */
export type NewSession = Omit<SessionRow, "lastUsedAt" | "workspaceId" | "passkeysSeenAt">;

export type SessionRow = typeof sessions.$inferSelect;

/** Inserts a session. If the user already has `cap` sessions, the oldest one ends. */
export async function insertSession(
  db: D1Database,
  { id, userId, createdAt, expiresAt, device, authenticatedAt }: NewSession,
  cap: number,
): Promise<void> {
  await db.batch([
    deleteOldestSessions(db, userId, cap),
    db
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, expires_at, device, authenticated_at)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .bind(id, userId, createdAt, expiresAt, device, authenticatedAt),
  ]);
}

/**
 * Returns the statement that gives a session of the same person a new id, because they have proved again who they are.
 * Copies of the previous cookie end; the chosen workspace stays.
 * @param condition SQL, with parameters from `?8`
 */
export const renewSessionWhere = (
  db: D1Database,
  previous: string,
  { id, userId, createdAt, expiresAt, device, authenticatedAt }: NewSession,
  condition = "TRUE",
  parameters: readonly (string | number)[] = [],
): D1PreparedStatement =>
  db
    .prepare(
      `UPDATE sessions SET id = ?3, created_at = ?4, expires_at = ?5, device = ?6, authenticated_at = ?7,
         last_used_at = NULL
       WHERE id = ?1 AND user_id = ?2 AND expires_at > ?4 AND ${condition} RETURNING id`,
    )
    .bind(previous, userId, id, createdAt, expiresAt, device, authenticatedAt, ...parameters);

/** Gives a session a new id. @returns false if it has ended, or is another person's */
export async function renewSession(db: D1Database, previous: string, session: NewSession): Promise<boolean> {
  const { results } = await renewSessionWhere(db, previous, session).all();
  return results.length === 1;
}

/** Records that a session has shown a notice of every passkey that was added until `at`, epoch milliseconds. */
export async function updatePasskeysSeen(db: D1Database, id: string, at: number): Promise<void> {
  await db.prepare("UPDATE sessions SET passkeys_seen_at = ?2 WHERE id = ?1").bind(id, at).run();
}

/** Returns the statement that makes room for one more session of a user who may have `cap`. */
export const deleteOldestSessions = (db: D1Database, userId: string, cap: number): D1PreparedStatement =>
  db
    .prepare(
      `DELETE FROM sessions WHERE id IN
         (SELECT id FROM sessions WHERE user_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?)`,
    )
    .bind(userId, cap - 1);

/** Returns a user's sessions that have not expired by `now` (epoch milliseconds), newest first. */
export async function listSessions(db: D1Database, userId: string, now: number): Promise<SessionRow[]> {
  return catalogue(db)
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, now)))
    .orderBy(desc(sessions.id));
}

/** Records that a session was used at `at`, unless a use after `since` is recorded. Both are epoch milliseconds. */
export async function updateSessionLastUsed(
  db: D1Database,
  id: string,
  { at, since }: { at: number; since: number },
): Promise<void> {
  await db
    .prepare(
      "UPDATE sessions SET last_used_at = ?2 WHERE id = ?1 AND coalesce(last_used_at, created_at) <= ?3",
    )
    .bind(id, at, since)
    .run();
}

/** Ends one of a user's sessions. @returns false if it has ended or expired by `now`, or is another user's */
export async function deleteUserSession(
  db: D1Database,
  userId: string,
  id: string,
  now: number,
): Promise<boolean> {
  const { meta } = await db
    .prepare("DELETE FROM sessions WHERE id = ? AND user_id = ? AND expires_at > ?")
    .bind(id, userId, now)
    .run();
  return meta.changes === 1;
}

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
