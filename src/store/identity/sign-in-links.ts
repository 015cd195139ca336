import type { Plan } from "../../contract/plans.ts";
import { foldedName } from "../codes/codes.ts";
import { insertPasskeyWhere, type NewPasskey, type SpentChallenge, spendChallenge } from "./passkeys.ts";
import { type NewSession, renewSessionWhere } from "./sessions.ts";

/** One-time links, and what they are used for. A link's row is deleted in the transaction that uses it. */

/** The issuer of users who joined with a passkey. */
const passkeyIssuer = "passkey";

/**
 * An unused link. Confirmation links have another kind of digest than links that let people in, so that neither works
 * as the other.
 */
export interface SignInLink {
  readonly digest: string;
  /** Null for the link of a new owner. */
  readonly userId: string | null;
  readonly expiresAt: number;
}

/** Inserts a link. @returns false if there is no such user */
export async function insertSignInLink(
  db: D1Database,
  { digest, userId, expiresAt }: SignInLink,
): Promise<boolean> {
  const { results } = await db
    .prepare(
      `INSERT INTO sign_in_links (digest, user_id, expires_at)
       SELECT ?1, ?2, ?3 WHERE ?2 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ?2) RETURNING digest`,
    )
    .bind(digest, userId, expiresAt)
    .all();
  return results.length === 1;
}

/** Returns a link that has neither been used nor expired by `now`, with the name of its user. */
export async function findSignInLink(
  db: D1Database,
  digest: string,
  now: number,
): Promise<(SignInLink & { readonly userName: string | null }) | undefined> {
  const row = await db
    .prepare(
      `SELECT l.digest, l.user_id AS userId, l.expires_at AS expiresAt, coalesce(u.name, u.email) AS userName
       FROM sign_in_links l LEFT JOIN users u ON u.id = l.user_id WHERE l.digest = ? AND l.expires_at > ?`,
    )
    .bind(digest, now)
    .first<SignInLink & { userName: string | null }>();
  return row ?? undefined;
}

/**
 * Returns the statement that inserts a person who signs in with a passkey.
 * @param condition with parameters from `?4`
 */
export const insertPersonWhere = (
  db: D1Database,
  { userId, name, createdAt }: { readonly userId: string; readonly name: string; readonly createdAt: number },
  condition: string,
  parameters: readonly (string | number | null)[],
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO users (id, issuer, subject, name, created_at)
       SELECT ?1, '${passkeyIssuer}', ?1, ?2, ?3 WHERE ${condition} RETURNING id`,
    )
    .bind(userId, name, createdAt, ...parameters);

/** A person who joins, with the workspace that they will own. */
export interface NewOwner {
  readonly name: string;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly plan: Plan;
}

/**
 * Inserts a person with a passkey, a workspace and a session.
 * @param link its digest, which is used up; null if everyone may join
 * @returns false if the link is used or has expired
 * @throws a unique violation if the challenge is spent or the credential is known
 */
export async function insertOwner(
  db: D1Database,
  owner: NewOwner,
  passkey: NewPasskey,
  session: NewSession,
  challenge: SpentChallenge,
  link: string | null,
): Promise<boolean> {
  const { id, userId, createdAt, expiresAt, device } = session;
  const { name, workspaceId, workspaceName, plan } = owner;
  const isNew = "EXISTS (SELECT 1 FROM users WHERE id = ?1)";
  const [, inserted] = await db.batch([
    spendChallenge(db, challenge),
    insertPersonWhere(
      db,
      { userId, name, createdAt },
      `?4 IS NULL OR EXISTS
         (SELECT 1 FROM sign_in_links WHERE digest = ?4 AND user_id IS NULL AND expires_at > ?3)`,
      [link],
    ),
    db
      .prepare(
        `INSERT INTO workspaces (id, name, name_folded, plan, created_at)
         SELECT ?2, ?3, ?4, ?5, ?6 WHERE ${isNew}`,
      )
      .bind(userId, workspaceId, workspaceName, foldedName(workspaceName), plan, createdAt),
    db
      .prepare(`INSERT INTO members (user_id, workspace_id, created_at) SELECT ?1, ?2, ?3 WHERE ${isNew}`)
      .bind(userId, workspaceId, createdAt),
    insertPasskeyWhere(db, passkey, "id = ?8", [userId]),
    db
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, expires_at, device, authenticated_at)
         SELECT ?2, ?1, ?3, ?4, ?5, ?3 WHERE ${isNew}`,
      )
      .bind(userId, id, createdAt, expiresAt, device),
    db.prepare("DELETE FROM sign_in_links WHERE digest = ?").bind(link),
  ]);
  return inserted?.results.length === 1;
}

/**
 * Replaces all passkeys of a recovery link's user by a new one, ends their sessions and tokens, and starts a session.
 * All of the user's recovery links are used up.
 * @returns false if the link is used or has expired
 * @throws a unique violation if the challenge is spent or the credential is known
 */
export async function replacePasskeys(
  db: D1Database,
  passkey: NewPasskey,
  session: NewSession,
  challenge: SpentChallenge,
  link: string,
): Promise<boolean> {
  const { id, userId, createdAt, expiresAt, device } = session;
  const isOpen =
    "EXISTS (SELECT 1 FROM sign_in_links WHERE digest = ?2 AND user_id = ?1 AND expires_at > ?3)";
  const [, , , , inserted] = await db.batch([
    spendChallenge(db, challenge),
    db.prepare(`DELETE FROM passkeys WHERE user_id = ?1 AND ${isOpen}`).bind(userId, link, createdAt),
    db.prepare(`DELETE FROM sessions WHERE user_id = ?1 AND ${isOpen}`).bind(userId, link, createdAt),
    db
      .prepare(`UPDATE users SET signed_out_at = ?3 WHERE id = ?1 AND ${isOpen}`)
      .bind(userId, link, createdAt),
    insertPasskeyWhere(
      db,
      passkey,
      "id = ?8 AND EXISTS (SELECT 1 FROM sign_in_links WHERE digest = ?9 AND user_id = ?8 AND expires_at > ?7)",
      [userId, link],
    ),
    db
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, expires_at, device, authenticated_at)
         SELECT ?4, ?1, ?3, ?5, ?6, ?3 WHERE ${isOpen}`,
      )
      .bind(userId, link, createdAt, id, expiresAt, device),
    db
      .prepare(
        "DELETE FROM sign_in_links WHERE user_id = ?1 AND EXISTS (SELECT 1 FROM sessions WHERE id = ?2)",
      )
      .bind(userId, id),
  ]);
  return inserted?.results.length === 1;
}

/**
 * Gives a session of a confirmation link's person a new id, and uses the link up.
 * @returns false if the link is used, has expired or is another person's, or the session has ended
 */
export async function renewSessionByLink(
  db: D1Database,
  link: string,
  previous: string,
  session: NewSession,
): Promise<boolean> {
  const isOpen =
    "EXISTS (SELECT 1 FROM sign_in_links l WHERE l.digest = ?8 AND l.user_id = ?2 AND l.expires_at > ?4)";
  const [renewed] = await db.batch([
    renewSessionWhere(db, previous, session, isOpen, [link]),
    db
      .prepare(
        "DELETE FROM sign_in_links WHERE digest = ?1 AND EXISTS (SELECT 1 FROM sessions WHERE id = ?2)",
      )
      .bind(link, session.id),
  ]);
  return renewed?.results.length === 1;
}
