import { and, desc, eq, gt, isNull } from "drizzle-orm";
import type { Role } from "../../contract/roles.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isChangedBy } from "../catalogue.ts";
import { historyStatement } from "../history.ts";
import { invitations, users } from "../schema/identity.ts";
import { workspaces } from "../schema/workspaces.ts";
import { mayOwnAnother } from "./members.ts";
import { insertPasskeyWhere, type NewPasskey, spendChallenge, type SpentChallenge } from "./passkeys.ts";
import type { NewSession } from "./sessions.ts";
import { insertPersonWhere } from "./sign-in-links.ts";

/** Invitations to workspaces. Times are epoch milliseconds. */

export type InvitationRow = typeof invitations.$inferSelect;

/** An invitation, with the names that people see. */
const shown = {
  id: invitations.id,
  workspaceId: invitations.workspaceId,
  role: invitations.role,
  email: invitations.email,
  createdAt: invitations.createdAt,
  expiresAt: invitations.expiresAt,
  inviterName: users.name,
  inviterEmail: users.email,
  workspaceName: workspaces.name,
  logoId: workspaces.logoId,
};

const selectShown = (db: D1Database) =>
  catalogue(db)
    .select(shown)
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .leftJoin(users, eq(users.id, invitations.invitedBy));

export type ShownInvitation = Awaited<ReturnType<typeof listInvitations>>[number];

/**
 * Inserts an invitation. @param inviters roles of which the inviter must still have one
 * @returns false if they don't, or the workspace has `cap` that can be used
 */
export async function insertInvitation(
  db: D1Database,
  row: InvitationRow,
  inviters: readonly Role[],
  cap: number,
  entry: HistoryEntry,
): Promise<boolean> {
  const { id, workspaceId, digest, role, email, invitedBy, createdAt, expiresAt } = row;
  const insertion = db
    .prepare(
      `INSERT INTO invitations (id, workspace_id, digest, role, email, invited_by, created_at, expires_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
       WHERE (SELECT count(*) FROM invitations WHERE workspace_id = ?2 AND expires_at > ?7) < ?9
         AND EXISTS (SELECT 1 FROM members WHERE workspace_id = ?2 AND user_id = ?6
           AND role IN (SELECT value FROM json_each(?10)))
       RETURNING id`,
    )
    .bind(
      id,
      workspaceId,
      digest,
      role,
      email,
      invitedBy,
      createdAt,
      expiresAt,
      cap,
      JSON.stringify(inviters),
    );
  return isChangedBy(db, insertion, historyStatement(db, workspaceId, entry));
}

/** Returns a workspace's invitations that can still be used, newest first. */
export async function listInvitations(db: D1Database, workspaceId: string, now: number) {
  return selectShown(db)
    .where(and(eq(invitations.workspaceId, workspaceId), gt(invitations.expiresAt, now)))
    .orderBy(desc(invitations.id));
}

/** Returns an invitation that can still be used, whatever its workspace. None can while that is being deleted. */
export async function findInvitation(
  db: D1Database,
  digest: string,
  now: number,
): Promise<ShownInvitation | undefined> {
  const [row] = await selectShown(db).where(
    and(eq(invitations.digest, digest), gt(invitations.expiresAt, now), isNull(workspaces.deletion)),
  );
  return row;
}

/** Deletes an invitation. @returns false if it is used, unknown or another workspace's */
export async function deleteInvitation(
  db: D1Database,
  workspaceId: string,
  id: string,
  entry: HistoryEntry,
): Promise<boolean> {
  const deletion = db
    .prepare("DELETE FROM invitations WHERE id = ? AND workspace_id = ? RETURNING id")
    .bind(id, workspaceId);
  return isChangedBy(db, deletion, historyStatement(db, workspaceId, entry));
}

/** An invitation that is about to be used. */
interface OpenedInvitation {
  readonly digest: string;
  readonly workspaceId: string;
}

interface Caps {
  /** Members of a workspace. */
  readonly members: number;
  /** Workspaces of a user. */
  readonly joined: number;
  /** Of these, workspaces that they own. */
  readonly owned: number;
}

/** Returns the statement that makes the user `?1` a member by an open invitation. */
const insertMember = (db: D1Database, userId: string, digest: string, now: number, caps: Caps) =>
  db
    .prepare(
      `INSERT INTO members (user_id, workspace_id, created_at, role)
       SELECT users.id, i.workspace_id, ?3, i.role FROM invitations i JOIN users ON users.id = ?1
       WHERE i.digest = ?2 AND i.expires_at > ?3 AND (i.email IS NULL OR i.email = users.verified_email)
         AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = ?1 AND workspace_id = i.workspace_id)
         AND (SELECT count(*) FROM members WHERE workspace_id = i.workspace_id) < ?4
         AND (SELECT count(*) FROM members WHERE user_id = ?1) < ?5
         AND (i.role <> 'owner' OR ${mayOwnAnother("?1", "?6")})
       RETURNING workspace_id`,
    )
    .bind(userId, digest, now, caps.members, caps.joined, caps.owned);

/** Returns the statement that uses an invitation up, after its user became a member at `now`. */
const useUp = (db: D1Database, userId: string, digest: string, now: number) =>
  db
    .prepare(
      `DELETE FROM invitations WHERE digest = ?2 AND EXISTS
         (SELECT 1 FROM members WHERE user_id = ?1 AND workspace_id = invitations.workspace_id
            AND created_at = ?3 AND role = invitations.role)`,
    )
    .bind(userId, digest, now);

/**
 * Makes a user a member by an invitation, which is used up.
 * @returns false if the invitation is used or for another address, the user is a member already, or a cap is reached
 */
export async function acceptInvitation(
  db: D1Database,
  userId: string,
  { digest, workspaceId }: OpenedInvitation,
  now: number,
  caps: Caps,
  entry: HistoryEntry,
): Promise<boolean> {
  return isChangedBy(
    db,
    insertMember(db, userId, digest, now, caps),
    historyStatement(db, workspaceId, entry),
    useUp(db, userId, digest, now),
  );
}

/**
 * Inserts a person with a passkey and a session, who becomes a member by an invitation for anyone with its link.
 * @returns false if the invitation is used or has expired, or the workspace is full
 * @throws a unique violation if the challenge is spent or the credential is known
 */
export async function insertInvitedUser(
  db: D1Database,
  { digest, workspaceId }: OpenedInvitation,
  name: string,
  passkey: NewPasskey,
  session: NewSession,
  challenge: SpentChallenge,
  caps: Caps,
  entry: HistoryEntry,
): Promise<boolean> {
  const { id, userId, createdAt, expiresAt, device } = session;
  const [, inserted] = await db.batch([
    spendChallenge(db, challenge),
    insertPersonWhere(
      db,
      { userId, name, createdAt },
      `EXISTS (SELECT 1 FROM invitations i WHERE i.digest = ?4 AND i.expires_at > ?3 AND i.email IS NULL
         AND (SELECT count(*) FROM members WHERE workspace_id = i.workspace_id) < ?5)`,
      [digest, caps.members],
    ),
    insertMember(db, userId, digest, createdAt, caps),
    historyStatement(db, workspaceId, entry),
    useUp(db, userId, digest, createdAt),
    insertPasskeyWhere(db, passkey, "id = ?8", [userId]),
    db
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, expires_at, device, authenticated_at)
         SELECT ?2, id, ?3, ?4, ?5, ?3 FROM users WHERE id = ?1`,
      )
      .bind(userId, id, createdAt, expiresAt, device),
  ]);
  return inserted?.results.length === 1;
}
