import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Plan } from "../../contract/plans.ts";
import { catalogue } from "../catalogue.ts";
import { foldedName } from "../codes/codes.ts";
import { workspaces } from "../schema/workspaces.ts";
import { members, sessions, users } from "../schema/identity.ts";

/** A user's OpenID claims; issuer and subject together identify the user. */
export interface UserProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
}

export type MemberRow = NonNullable<Awaited<ReturnType<typeof findMemberBySession>>>;

/**
 * Returns a session's user with the workspace they joined first. This and the next function take no workspace, because
 * they look it up.
 * @param now epoch milliseconds
 * @returns undefined if the session has ended or expired, or the user has no workspace
 */
export async function findMemberBySession(db: D1Database, sessionId: string, now: number) {
  const [row] = await selectMember(db, sql`${sessions.lastUsedAt}`)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now)))
    .orderBy(...oldestFirst)
    .limit(1);
  return row;
}

/** The same for a user by the provider's issuer and subject. */
export async function findMemberBySubject(db: D1Database, issuer: string, subject: string) {
  const [row] = await selectMember(db)
    .where(and(eq(users.issuer, issuer), eq(users.subject, subject)))
    .orderBy(...oldestFirst)
    .limit(1);
  return row;
}

const oldestFirst = [asc(members.createdAt), asc(members.workspaceId)];

/** @param sessionUsedAt when the session was last used; null without one */
function selectMember(db: D1Database, sessionUsedAt: SQL<number | null> = sql`NULL`) {
  return catalogue(db)
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      signedOutAt: users.signedOutAt,
      role: members.role,
      workspaceId: workspaces.id,
      workspaceName: workspaces.name,
      plan: workspaces.plan,
      requestsPerMinute: workspaces.requestsPerMinute,
      planVersion: workspaces.planVersion,
      liveCodes: workspaces.liveCodes,
      creations: workspaces.creations,
      creationsDay: workspaces.creationsDay,
      storedBytes: sql<number>`stored_bytes + job_bytes`,
      storageLimit: sql<number>`storage_limit`,
      suspended: workspaces.suspended,
      sessionUsedAt,
    })
    .from(users)
    .innerJoin(members, eq(members.userId, users.id))
    .innerJoin(workspaces, eq(workspaces.id, members.workspaceId));
}

/**
 * Inserts a user, or updates an existing user's name and email. A user without a workspace gets a new one. This is one
 * transaction, so the second of two simultaneous calls finds the first one's rows.
 * @param fresh ids, name, plan and time for inserted rows
 */
export async function insertUser(
  db: D1Database,
  profile: UserProfile,
  fresh: { userId: string; workspaceId: string; workspaceName: string; plan: Plan; now: number },
): Promise<void> {
  const { issuer, subject, name, email } = profile;
  const { userId, workspaceId, workspaceName, plan, now } = fresh;
  await db.batch([
    db
      .prepare(
        `INSERT INTO users (id, issuer, subject, name, email, created_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (issuer, subject) DO UPDATE
         SET name = coalesce(excluded.name, name), email = coalesce(excluded.email, email)`,
      )
      .bind(userId, issuer, subject, name, email, now),
    db
      .prepare(
        `INSERT INTO workspaces (id, name, name_folded, plan, created_at) SELECT ?, ?, ?, ?, ? FROM users
         WHERE issuer = ? AND subject = ? AND NOT EXISTS (SELECT 1 FROM members WHERE user_id = users.id)`,
      )
      .bind(workspaceId, workspaceName, foldedName(workspaceName), plan, now, issuer, subject),
    db
      .prepare(
        `INSERT INTO members (user_id, workspace_id, created_at) SELECT users.id, workspaces.id, ?
         FROM users JOIN workspaces ON workspaces.id = ? WHERE issuer = ? AND subject = ?`,
      )
      .bind(now, workspaceId, issuer, subject),
  ]);
}

/** Returns the people of a workspace, those who joined first first. */
export async function listMembers(db: D1Database, workspaceId: string, limit: number) {
  return catalogue(db)
    .select({ id: users.id, name: users.name, email: users.email })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.workspaceId, workspaceId))
    .orderBy(asc(members.createdAt), asc(members.userId))
    .limit(limit);
}

/** Returns ids of the workspace's members. */
export async function listMemberIds(db: D1Database, workspaceId: string): Promise<string[]> {
  const rows = await catalogue(db)
    .select({ userId: members.userId })
    .from(members)
    .where(eq(members.workspaceId, workspaceId));
  return rows.map(({ userId }) => userId);
}
