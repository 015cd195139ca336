import { and, asc, count, eq } from "drizzle-orm";
import { type Role, roles } from "../../contract/roles.ts";
import { catalogue, isChangedBy } from "../catalogue.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import { historyOfEach, historyStatement } from "../history.ts";
import { members, users } from "../schema/identity.ts";
import { workspaces } from "../schema/workspaces.ts";

/**
 * The members of workspaces. Conditions on roles are part of the statements, so that they hold for concurrent requests:
 * nobody changes a member above their own role, and a workspace keeps an owner.
 */

/** Returns SQL for the rank of a role. @param column of the role, or a parameter */
const rank = (column: string): string =>
  `CASE ${column} ${roles.map((role, i) => `WHEN '${role}' THEN ${i}`).join(" ")} END`;

/** The rank from which members may change others. */
const managing = roles.indexOf("admin");

/** SQL: whether the member `?3` of the workspace `?1` may change the one in `target`, a row of `members`. */
const mayChange = (target: string, atLeast: readonly string[] = []): string =>
  `EXISTS (SELECT 1 FROM members actor WHERE actor.workspace_id = ?1 AND actor.user_id = ?3
     AND ${rank("actor.role")} >= max(${[managing, rank(`${target}.role`), ...atLeast.map(rank)].join(", ")}))`;

/** SQL: whether the workspace `?1` has an owner besides the user `?2`. */
const hasOtherOwner = `EXISTS (SELECT 1 FROM members other
   WHERE other.workspace_id = ?1 AND other.role = 'owner' AND other.user_id <> ?2)`;

/** SQL: whether a user owns fewer workspaces than a person may. Those that are being deleted count, too. */
export const mayOwnAnother = (user: string, cap: string): string =>
  `(SELECT count(*) FROM members owned WHERE owned.user_id = ${user} AND owned.role = 'owner') < ${cap}`;

/** SQL for the entries in the history of invitations that are revoked together. */
export const revokedInvitation = `workspace_id, json_object('kind', 'invitation', 'id', id, 'name', email) AS object,
  json_object('role', json_array(role, NULL)) AS changes`;

/** SQL: those invitations of the user `?2` that their role in the workspace `?1`, if any, no longer allows. */
const unallowedInvitations = `FROM invitations WHERE workspace_id = ?1 AND invited_by = ?2 AND NOT EXISTS
  (SELECT 1 FROM members WHERE workspace_id = ?1 AND user_id = ?2
     AND ${rank("members.role")} >= max(${managing}, ${rank("invitations.role")}))`;

/**
 * Returns the statements that revoke those invitations of a user that their role, if any, no longer allows.
 * @param cause the entry of what changed their role
 */
const revokeUnallowedInvitations = (
  db: D1Database,
  workspaceId: string,
  userId: string,
  { id, actor }: HistoryEntry,
) => [
  historyOfEach(
    db,
    { v: 1, id, action: "invitation.revoked", actor },
    `SELECT ${revokedInvitation} ${unallowedInvitations} AND expires_at > ?3`,
    ...[workspaceId, userId, timeOfId(id)],
  ),
  db.prepare(`DELETE ${unallowedInvitations}`).bind(workspaceId, userId),
];

/** Returns a workspace's members, those who joined first first. */
export async function listWorkspaceMembers(db: D1Database, workspaceId: string) {
  return catalogue(db)
    .select({
      id: users.id,
      name: users.name,
      email: users.email,
      role: members.role,
      joinedAt: members.createdAt,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.workspaceId, workspaceId))
    .orderBy(asc(members.createdAt), asc(members.userId));
}

/** Returns a user's workspaces, in no order. */
export async function listWorkspacesOf(db: D1Database, userId: string) {
  return catalogue(db)
    .select({
      id: workspaces.id,
      name: workspaces.name,
      logoId: workspaces.logoId,
      plan: workspaces.plan,
      role: members.role,
    })
    .from(members)
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId))
    .where(eq(members.userId, userId));
}

/** Returns how many workspaces a user is a member of. */
export async function countWorkspacesOf(db: D1Database, userId: string): Promise<number> {
  const [row] = await catalogue(db).select({ n: count() }).from(members).where(eq(members.userId, userId));
  return row?.n ?? 0;
}

/** Returns how many workspaces a user owns. */
export async function countOwnedBy(db: D1Database, userId: string): Promise<number> {
  const isOwned = and(eq(members.userId, userId), eq(members.role, "owner"));
  return catalogue(db).$count(members, isOwned);
}

/** Returns a member's role; undefined if they are not a member. */
export async function findRole(
  db: D1Database,
  workspaceId: string,
  userId: string,
): Promise<Role | undefined> {
  const [row] = await catalogue(db)
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.userId, userId), eq(members.workspaceId, workspaceId)));
  return row?.role;
}

/** A member as they were read. The history records their role, so it must still be the same when they change. */
interface ReadMember {
  readonly id: string;
  readonly role: Role;
}

/**
 * Sets a member's role, on behalf of another one.
 * @param cap workspaces that a person may own
 * @returns false if nothing changed: the member has another role by now or isn't one, the actor's role is too low, it is
 * the only owner, or the member would own too many workspaces
 */
export async function updateRole(
  db: D1Database,
  workspaceId: string,
  { id: userId, role: before }: ReadMember,
  actorId: string,
  role: Role,
  cap: number,
  entry: HistoryEntry,
): Promise<boolean> {
  return isChangedBy(
    db,
    db
      .prepare(
        `UPDATE members SET role = ?4
         WHERE workspace_id = ?1 AND user_id = ?2 AND role = ?6 AND ${mayChange("members", ["?4"])}
           AND (role <> 'owner' OR ?4 = 'owner' OR ${hasOtherOwner})
           AND (role = 'owner' OR ?4 <> 'owner' OR ${mayOwnAnother("?2", "?5")}) RETURNING user_id`,
      )
      .bind(workspaceId, userId, actorId, role, cap, before),
    historyStatement(db, workspaceId, entry),
    ...revokeUnallowedInvitations(db, workspaceId, userId, entry),
  );
}

/** Removes a member, on behalf of another one. @returns false like `updateRole` */
export async function deleteMember(
  db: D1Database,
  workspaceId: string,
  { id: userId, role }: ReadMember,
  actorId: string,
  entry: HistoryEntry,
): Promise<boolean> {
  return isChangedBy(
    db,
    db
      .prepare(
        `DELETE FROM members WHERE workspace_id = ?1 AND user_id = ?2 AND role = ?4 AND ${mayChange("members")}
           AND (role <> 'owner' OR ${hasOtherOwner}) RETURNING user_id`,
      )
      .bind(workspaceId, userId, actorId, role),
    historyStatement(db, workspaceId, entry),
    ...revokeUnallowedInvitations(db, workspaceId, userId, entry),
  );
}

/** Removes a member on their own behalf. @returns false if they are the only owner, have another role by now, or none */
export async function deleteOwnMembership(
  db: D1Database,
  workspaceId: string,
  { id: userId, role }: ReadMember,
  entry: HistoryEntry,
): Promise<boolean> {
  return isChangedBy(
    db,
    db
      .prepare(
        `DELETE FROM members WHERE workspace_id = ?1 AND user_id = ?2 AND role = ?3
           AND (role <> 'owner' OR ${hasOtherOwner}) RETURNING user_id`,
      )
      .bind(workspaceId, userId, role),
    historyStatement(db, workspaceId, entry),
    ...revokeUnallowedInvitations(db, workspaceId, userId, entry),
  );
}

/**
 * Makes a member owner and the previous owner admin.
 * @param cap workspaces that a person may own
 * @returns false if one of them isn't what they must be, or the new owner would own too many workspaces
 */
export async function transferOwnership(
  db: D1Database,
  workspaceId: string,
  { id: userId, role }: ReadMember,
  ownerId: string,
  cap: number,
  entries: { readonly raised: HistoryEntry; readonly lowered: HistoryEntry },
): Promise<boolean> {
  const isOwner = "SELECT 1 FROM members WHERE workspace_id = ?1 AND role = 'owner' AND user_id =";
  const [, , lowered] = await db.batch([
    db
      .prepare(
        `UPDATE members SET role = 'owner'
         WHERE workspace_id = ?1 AND user_id = ?2 AND role = ?5 AND user_id <> ?3 AND role <> 'owner'
           AND EXISTS (${isOwner} ?3) AND ${mayOwnAnother("?2", "?4")}`,
      )
      .bind(workspaceId, userId, ownerId, cap, role),
    historyStatement(db, workspaceId, entries.raised),
    db
      .prepare(
        `UPDATE members SET role = 'admin'
         WHERE workspace_id = ?1 AND user_id = ?3 AND ?2 <> ?3 AND role = 'owner' AND EXISTS (${isOwner} ?2)
         RETURNING user_id`,
      )
      .bind(workspaceId, userId, ownerId),
    historyStatement(db, workspaceId, entries.lowered),
    ...revokeUnallowedInvitations(db, workspaceId, ownerId, entries.lowered),
  ]);
  return lowered?.results.length === 1;
}

/** Who chooses a workspace: a user, in a session unless they have a token. */
export interface Chooser {
  readonly userId: string;
  readonly sessionId: string | null;
}

/** Lets a user's session, if they have one, act for a workspace. @returns false if they aren't a member of it */
export async function chooseWorkspace(
  db: D1Database,
  { userId, sessionId }: Chooser,
  workspaceId: string,
  now: number,
): Promise<boolean> {
  return isChangedBy(
    db,
    db
      .prepare(
        "UPDATE members SET chosen_at = ?3 WHERE user_id = ?1 AND workspace_id = ?2 RETURNING workspace_id",
      )
      .bind(userId, workspaceId, now),
    db
      .prepare(
        `UPDATE sessions SET workspace_id = ?3 WHERE id = ?2 AND user_id = ?1
           AND EXISTS (SELECT 1 FROM members WHERE user_id = ?1 AND workspace_id = ?3)`,
      )
      .bind(userId, sessionId, workspaceId),
  );
}
