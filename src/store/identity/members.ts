import { and, asc, count, eq } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { limits } from "../../contract/limits.ts";
import { type Role, roles } from "../../contract/roles.ts";
import { timeOfId } from "../../lib/text/ids.ts";
import type { HistoryEntry } from "../../protocol/history.ts";
import { catalogue, isChangedBy } from "../catalogue.ts";
import { deleteListsOf } from "../codes/saved-lists.ts";
import { historyOfEach } from "../history.ts";
import { type Removable, removableKind } from "../resources/kind.ts";
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
 * Returns the statements that revoke a user's invitations, as far as their role, if any, no longer allows them.
 * @param cause the entry of what changed their role
 */
const revokeUnallowedInvitations = (
  db: D1Database,
  workspaceId: string,
  userId: string,
  { id, actor }: Pick<HistoryEntry, "id" | "actor">,
) => [
  historyOfEach(
    db,
    { v: 1, id, action: "invitation.revoked", actor },
    `SELECT ${revokedInvitation} ${unallowedInvitations} AND expires_at > ?3`,
    ...[workspaceId, userId, timeOfId(id)],
  ),
  db.prepare(`DELETE ${unallowedInvitations}`).bind(workspaceId, userId),
];

/** The columns of a member as of a resource, whose id is the user's. */
const memberships = sqliteTable("members", {
  id: text("user_id").notNull(),
  workspaceId: text("workspace_id").notNull(),
  role: text("role").$type<Role>().notNull(),
  version: integer("version").notNull(),
});

/** The name that people see. */
interface Derived {
  readonly name: string | null;
}

/** A member of a workspace. */
export type MemberRow = Removable<typeof memberships.$inferSelect & Derived>;

/** Members as resources. Joining stays apart, since it uses up an invitation, which belongs to nobody's workspace. */
export const memberKind = removableKind<typeof memberships, Derived>(
  memberships,
  {
    conditions: {
      // Nobody changes a member above their own role, or grants more. People may leave.
      actor: {
        of: ({ after, history: { actor } }) =>
          after.deletedAt !== null && actor.id === after.id
            ? undefined
            : JSON.stringify({ id: actor.kind === "person" ? actor.id : null, role: after.role }),
        sql: (actor) =>
          `EXISTS (SELECT 1 FROM members a WHERE a.workspace_id = w.id AND a.user_id = (${actor})->>'id'
             AND ${rank("a.role")} >= max(${managing}, ${rank("c.role")}, ${rank(`(${actor})->>'role'`)}))`,
      },
      owner: {
        of: ({ before, after }) => (before?.role === "owner" && !isOwner(after) ? 1 : undefined),
        sql: () =>
          `EXISTS (SELECT 1 FROM members other
             WHERE other.workspace_id = w.id AND other.role = 'owner' AND other.user_id <> c.user_id)`,
      },
      owned: {
        of: ({ before, after }) =>
          before?.role !== "owner" && isOwner(after) ? limits.workspaces.owned : undefined,
        sql: (cap) => mayOwnAnother("c.user_id", cap),
      },
    },
    checkedColumns: ["role"],
    sideEffects: (db, { id, after, history: { actor } }) => [
      ...revokeUnallowedInvitations(db, after.workspaceId, after.id, { id, actor }),
      ...(after.deletedAt === null ? [] : [deleteListsOf(db, after.workspaceId, after.id)]),
    ],
  },
  { name: (alias) => `(SELECT coalesce(u.name, u.email) FROM users u WHERE u.id = ${alias}.user_id)` },
);

const isOwner = ({ role, deletedAt }: MemberRow): boolean => role === "owner" && deletedAt === null;

/** Returns a workspace's members in the order in which they joined. */
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
