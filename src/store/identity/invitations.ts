import { and, desc, eq, gt, isNull } from "drizzle-orm";
import { allows, isAtLeast, type Role, roles } from "../../contract/roles.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isChangedBy } from "../catalogue.ts";
import { historyStatement } from "../history.ts";
import { type Removable, removableKind, roomFor } from "../resources/kind.ts";
import { invitations, users } from "../schema/identity.ts";
import { workspaces } from "../schema/workspaces.ts";
import { mayOwnAnother } from "./members.ts";
import { insertPasskeyWhere, type NewPasskey, type SpentChallenge, spendChallenge } from "./passkeys.ts";
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

/** Invitations as resources. Revoking one removes its row. */
export const invitationKind = removableKind<typeof invitations>(invitations, {
  conditions: {
    room: roomFor<Removable<InvitationRow>>("invitations", "expires_at > s.value->>'at'"),
    // The inviter's role may have changed.
    inviter: {
      of: ({ before, after: { invitedBy, role } }) =>
        before === null ? JSON.stringify({ invitedBy, roles: invitersOf(role) }) : undefined,
      sql: (inviter) =>
        `EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = w.id AND m.user_id = (${inviter})->>'invitedBy'
           AND m.role IN (SELECT value FROM json_each((${inviter})->'roles')))`,
    },
  },
});

/** Returns the roles that may invite people with a role. */
const invitersOf = (role: Role): readonly Role[] =>
  roles.filter((each) => allows(each, "members") && isAtLeast(each, role));

/** Returns a workspace's invitations that can still be used, newest first. */
export async function listInvitations(db: D1Database, workspaceId: string, now: number) {
  return selectShown(db)
    .where(and(eq(invitations.workspaceId, workspaceId), gt(invitations.expiresAt, now)))
    .orderBy(desc(invitations.id));
}

/** Returns an invitation that can still be used, to any workspace that isn't being deleted. */
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
