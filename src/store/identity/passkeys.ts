import { and, asc, eq } from "drizzle-orm";
import { catalogue } from "../catalogue.ts";
import { passkeys } from "../schema/identity.ts";
import { deleteOldestSessions, type NewSession, renewSessionWhere } from "./sessions.ts";

/** People's passkeys. They belong to a user, not to a workspace. */

export type PasskeyRow = typeof passkeys.$inferSelect;

/** A passkey that has just been made. */
export type NewPasskey = Omit<PasskeyRow, "userId" | "lastUsedAt">;

/** A challenge that a passkey has signed. */
export interface SpentChallenge {
  /** SHA-256, hex. */
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Returns the statement that spends a challenge. It fails, and with it its batch, if the challenge is already spent. */
export const spendChallenge = (db: D1Database, { digest, expiresAt }: SpentChallenge): D1PreparedStatement =>
  db.prepare("INSERT INTO spent_challenges (digest, expires_at) VALUES (?, ?)").bind(digest, expiresAt);

/**
 * Returns the statement that inserts a passkey of the user whom a SQL condition on `users` selects.
 * @param condition with parameters from `?8`
 */
export const insertPasskeyWhere = (
  db: D1Database,
  { id, credentialId, publicKey, counter, transports, name, createdAt }: NewPasskey,
  condition: string,
  parameters: readonly (string | number)[],
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       SELECT ?1, id, ?2, ?3, ?4, ?5, ?6, ?7 FROM users WHERE ${condition} RETURNING user_id`,
    )
    .bind(id, credentialId, publicKey, counter, JSON.stringify(transports), name, createdAt, ...parameters);

/**
 * Inserts a passkey of a user who is signed in.
 * @returns false if the user has `cap` already, or the session has ended
 * @throws a unique violation if the challenge is spent or the credential is known
 */
export async function insertPasskey(
  db: D1Database,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  passkey: NewPasskey,
  challenge: SpentChallenge,
  cap: number,
): Promise<boolean> {
  const hasRoom = "(SELECT count(*) FROM passkeys WHERE user_id = ?8) < ?9";
  const isSignedIn = "EXISTS (SELECT 1 FROM sessions WHERE id = ?10 AND user_id = ?8)";
  const [, inserted] = await db.batch([
    spendChallenge(db, challenge),
    insertPasskeyWhere(db, passkey, `id = ?8 AND ${hasRoom} AND ${isSignedIn}`, [userId, cap, sessionId]),
  ]);
  return inserted?.results.length === 1;
}

/** Returns a passkey by the authenticator's id of it. Takes no user, because it looks them up. */
export async function findPasskeyByCredential(
  db: D1Database,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  const [row] = await catalogue(db).select().from(passkeys).where(eq(passkeys.credentialId, credentialId));
  return row;
}

/**
 * Starts a session of the owner of a passkey that signed a challenge, and records its counter and use. The session
 * exists only if the passkey still does and nobody else has signed with the same counter.
 * @returns whether the session was started
 * @throws a unique violation if the challenge is spent
 */
export async function insertSessionOfPasskey(
  db: D1Database,
  passkey: SignedPasskey,
  challenge: SpentChallenge,
  { id, userId, createdAt, expiresAt, device }: NewSession,
  cap: number,
): Promise<boolean> {
  const [, , inserted] = await db.batch([
    spendChallenge(db, challenge),
    deleteOldestSessions(db, userId, cap),
    db
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, expires_at, device, authenticated_at)
         SELECT ?3, user_id, ?4, ?5, ?6, ?4 FROM passkeys WHERE ${isCurrent} RETURNING id`,
      )
      .bind(passkey.id, passkey.counter, id, createdAt, expiresAt, device),
    recordUse(db, passkey, createdAt),
  ]);
  return inserted?.results.length === 1;
}

/**
 * Gives the session of the owner of a passkey that signed a challenge a new id, and records its counter and use.
 * @returns false if the session has ended or is another person's, or the passkey is removed
 * @throws a unique violation if the challenge is spent
 */
export async function renewSessionByPasskey(
  db: D1Database,
  passkey: SignedPasskey,
  challenge: SpentChallenge,
  previous: string,
  session: NewSession,
): Promise<boolean> {
  const isOfPasskey = `EXISTS (SELECT 1 FROM passkeys WHERE passkeys.id = ?8 AND passkeys.user_id = ?2
    AND (counter < ?9 OR (counter = 0 AND ?9 = 0)))`;
  const [, renewed] = await db.batch([
    spendChallenge(db, challenge),
    renewSessionWhere(db, previous, session, isOfPasskey, [passkey.id, passkey.counter]),
    recordUse(db, passkey, session.createdAt),
  ]);
  return renewed?.results.length === 1;
}

/** A passkey that has signed, and its counter. */
interface SignedPasskey {
  readonly id: string;
  readonly counter: number;
}

/** SQL: whether `passkeys` is the passkey `?1`, and nobody else has signed with the counter `?2`. */
const isCurrent = "id = ?1 AND (counter < ?2 OR (counter = 0 AND ?2 = 0))";

const recordUse = (db: D1Database, { id, counter }: SignedPasskey, at: number): D1PreparedStatement =>
  db.prepare(`UPDATE passkeys SET counter = ?2, last_used_at = ?3 WHERE ${isCurrent}`).bind(id, counter, at);

/** Returns a user's passkeys, oldest first. */
export async function listPasskeys(db: D1Database, userId: string): Promise<PasskeyRow[]> {
  return catalogue(db).select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id));
}

/** Renames a user's passkey. @returns false if the user has no such passkey */
export async function renamePasskey(
  db: D1Database,
  userId: string,
  id: string,
  name: string,
): Promise<boolean> {
  const rows = await catalogue(db)
    .update(passkeys)
    .set({ name })
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
    .returning({ id: passkeys.id });
  return rows.length === 1;
}

/**
 * Deletes passkeys of a user, unless that would leave them no way to sign in.
 * @param issuer of the provider by which people can sign in as well; empty for none
 * @returns how many were deleted: none, or all that exist
 */
export async function deletePasskeys(
  db: D1Database,
  userId: string,
  ids: readonly string[],
  issuer: string,
): Promise<number> {
  const { meta } = await db
    .prepare(
      `DELETE FROM passkeys WHERE user_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND (
         EXISTS (SELECT 1 FROM passkeys other
           WHERE other.user_id = ?1 AND other.id NOT IN (SELECT value FROM json_each(?2)))
         OR EXISTS (SELECT 1 FROM users WHERE users.id = ?1 AND users.issuer = ?3 AND ?3 <> ''))`,
    )
    .bind(userId, JSON.stringify(ids), issuer)
    .run();
  return meta.changes;
}
